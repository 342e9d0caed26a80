//! What customers see of the module on pages of the storefront: the papers of a product, and their own wishes.

use stoa_core::prelude::*;

use crate::GiftWrap;
use crate::model::WrapSettings;

/// What customers are told of a product's wrapping.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "GiftWrapDetails")]
pub(crate) struct WrapDetails {
    /// Papers to choose from.
    papers: Vec<String>,
    /// What wrapping costs, in the currency's smallest unit.
    surcharge_amount: i64,
}

/// Tells which products can be wrapped, as `details.gift_wrap` of a product.
pub(crate) struct TellWraps;

impl TellDetails for TellWraps {
    type Uses = ();
    type Details = WrapDetails;

    async fn details(&self, products: &[ShownProduct<'_>], (): &()) -> Result<Vec<Option<WrapDetails>>, DbError> {
        let details = |product: &ShownProduct<'_>| {
            let settings = product.settings(GiftWrap::NAME)?.clone();
            let WrapSettings { papers, surcharge_amount } = serde_json::from_value(settings).ok()?;
            Some(WrapDetails { papers, surcharge_amount })
        };
        Ok(products.iter().map(details).collect())
    }
}

/// The papers on the page of a product. The form in it calls the API by itself.
pub(crate) const PAPERS: Panel = Panel::new(PanelOn::Product, include_str!("../pages/product.html"));

/// The customer's own wishes on the first page of the account, as the API lists them.
pub(crate) const OWN_WISHES: Panel =
    Panel::new(PanelOn::Account, include_str!("../pages/account.html")).path("/gift-wraps");
