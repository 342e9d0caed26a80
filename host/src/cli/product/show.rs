//! `stoa product show` and `stoa product list`: products as operators see them.

use stoa_core::catalog::{
    Frame, OptionRecord, ProductDetails, ProductSafety, SafetyContact, product_details, product_details_after,
};
use stoa_core::from_shop::FromShop;
use stoa_core::money::MoneyFormatter;
use stoa_kernel::fold::fold;

use crate::cli::catalog_change::{CatalogAccess, Noun, state};
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_list, print_members, print_part};

/// Prints one product with everything that is stored.
pub(super) async fn show(access: &CatalogAccess, slug: &str, json: bool) -> Result<(), Failure> {
    let product = product_details(&access.parts.db, &Frame::from_shop(&access.parts), slug).await?;
    let Some(product) = product else { return Err(Noun::Product.unknown(&access.parts.db, slug).await) };
    if json { print_json(&product) } else { print_text(&product, &access.parts.money) }
}

/// Prints all products, or those whose name or slug holds a text.
pub(super) async fn list(access: &CatalogAccess, q: Option<&str>, json: bool) -> Result<(), Failure> {
    let term = fold(q.unwrap_or_default().trim());
    let asked_for = |product: &ProductDetails| {
        fold(&product.resource.slug).contains(&term) || fold(&product.resource.name).contains(&term)
    };
    let mut products = Vec::new();
    let mut after = 0;
    loop {
        let slice = product_details_after(&access.parts.db, &Frame::from_shop(&access.parts), after).await?;
        let Some(last) = slice.last() else { break };
        after = last.resource.id;
        products.extend(slice.into_iter().filter(asked_for));
    }
    if json {
        return print_json_list(&products);
    }
    print_list(
        &["SLUG", "ID", "NAME", "PRICE", "CATEGORY", "STATE"],
        products.into_iter().map(row),
        "`stoa product create` makes a product, `stoa import` reads many from a file",
    )
}

fn row(product: ProductDetails) -> Vec<String> {
    let state = state(product.active, product.visible).to_owned();
    let shown = product.resource;
    let category = shown.category.map(|category| category.slug).unwrap_or_default();
    vec![shown.slug, shown.id.to_string(), shown.name, shown.price.formatted, category, state]
}

fn print_text(product: &ProductDetails, money: &MoneyFormatter) -> Result<(), Failure> {
    let shown = &product.resource;
    let category = shown.category.as_ref().map(|category| format!("{} ({})", category.name, category.slug));
    let availability = shown.availability.map(|availability| availability.as_str().replace('_', " "));
    let capabilities = (!shown.capabilities.is_empty()).then(|| shown.capabilities.join(", "));
    let members = [
        ("id", Some(shown.id.to_string())),
        ("slug", Some(shown.slug.clone())),
        ("name", Some(shown.name.clone())),
        ("subtitle", shown.subtitle.clone()),
        ("sku", shown.sku.clone()),
        ("brand", shown.brand.clone()),
        ("gtin", shown.gtin.clone()),
        ("weight", shown.weight_grams.map(|grams| format!("{grams} g"))),
        ("state", Some(state(product.active, product.visible).to_owned())),
        ("price", Some(shown.price.formatted.clone())),
        ("compare at", product.stored_compare_at_amount.map(|amount| money.format(amount))),
        ("lowest in 30 days", shown.lowest_recent_amount.map(|amount| money.format(amount))),
        ("unit price", shown.unit_price.as_ref().map(|price| format!("{} per {}", price.formatted, price.reference))),
        ("tax class", product.tax_class.clone()),
        ("category", category),
        ("capabilities", capabilities),
        ("availability", availability),
    ];
    print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))?;
    let settings = product.modules.iter().map(|(module, settings)| format!("{module}: {settings}"));
    for (heading, lines) in [
        ("Description", shown.description.iter().flat_map(|text| text.lines()).map(str::to_owned).collect::<Vec<_>>()),
        ("Safety", shown.safety.as_ref().map(safety_lines).unwrap_or_default()),
        ("Images", shown.images.clone()),
        ("Options", product.stored_options.iter().flat_map(|option| option_lines(option, money)).collect()),
        ("Settings of modules", settings.collect()),
    ] {
        print_part(heading, lines)?;
    }
    Ok(())
}

fn safety_lines(safety: &ProductSafety) -> Vec<String> {
    let contact = |what: &str, contact: &SafetyContact| {
        let address = contact.address.replace('\n', ", ");
        format!("{what}: {}, {address}, {}", contact.name, contact.email)
    };
    let manufacturer = safety.manufacturer.iter().map(|who| contact("manufacturer", who));
    let responsible = safety.responsible_person.iter().map(|who| contact("responsible person", who));
    let warnings = safety
        .warnings
        .iter()
        .flat_map(|(language, text)| text.lines().map(move |line| format!("warning ({language}): {line}")));
    manufacturer.chain(responsible).chain(warnings).collect()
}

/// An option, and below it a line for each of its choices.
fn option_lines(option: &OptionRecord, money: &MoneyFormatter) -> Vec<String> {
    let told = |parts: Vec<Option<String>>| parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let inactive = |active: bool| (!active).then(|| String::from("inactive"));
    let required = option.required.then(|| String::from("required"));
    let kind = option.kind.as_str().to_owned();
    let head = told(vec![Some(option.label.clone()), Some(kind), required, inactive(option.active)]);
    let choices = option.choices.iter().map(|choice| {
        let amount = choice.price_adjustment_amount;
        let sign = if amount > 0 { "+" } else { "" };
        let adjustment = (amount != 0).then(|| format!("{sign}{}", money.format(amount)));
        let sku = choice.sku.as_ref().map(|sku| format!("SKU {sku}"));
        let line = told(vec![Some(choice.label.clone()), adjustment, sku, inactive(choice.active)]);
        format!("  {}: {line}", choice.value)
    });
    std::iter::once(format!("{}: {head}", option.key)).chain(choices).collect()
}
