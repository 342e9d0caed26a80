//! What every page shows, whoever looks at it.

use serde_json::{Value, json};
use stoa_core::config::{Config as ShopConfig, ConsumerRights};
use stoa_core::i18n::Language;

use crate::storefront::Storefront;
use crate::view::Shop;

/// The values of every page.
pub(crate) fn frame(storefront: &Storefront, shop: &Shop, language: Language, path: &str) -> Value {
    let languages = shop.texts.languages();
    json!({
        "language": language.tag(),
        "languages": languages.iter().map(Language::tag).collect::<Vec<_>>(),
        "shop": {
            "name": shop.config.shop.name, "url": &*shop.base_url, "currency": shop.config.shop.currency.code(),
            "locale": shop.config.shop.locale.to_string(),
        },
        "path": path,
        "logo": storefront.logo(),
        "accent": storefront.has_accent(),
        "own_pages": storefront.own_pages().links(language),
        "guests": shop.config.accounts.guests,
        "registration": shop.config.accounts.registration,
        "withdrawal_offered": offers_withdrawal(&shop.config),
        "tax_in_prices": tax_in_prices(&shop.config),
        "vat_ids": shop.config.seller.member_state().is_some(),
    })
}

/// Whether prices include tax; none where nothing is taxed.
fn tax_in_prices(config: &ShopConfig) -> Option<bool> {
    let tax = &config.tax;
    let is_taxed = std::iter::once(&tax.rates).chain(tax.classes.values()).any(|rates| rates.iter().next().is_some());
    is_taxed.then_some(tax.prices_include_tax)
}

/// Whether customers have a right of withdrawal.
pub(crate) fn offers_withdrawal(config: &ShopConfig) -> bool {
    config.shop.consumer_rights == ConsumerRights::Eu
}
