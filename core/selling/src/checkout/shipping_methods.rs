//! Whether what has to be sent can be sent to whoever is sold to, for `stoa doctor`.

use std::sync::Arc;

use stoa_kernel::config::{Config, CountryCode};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::doctor::{Examine, Finding, counted, named};

use super::queries;
use crate::pricing::shipping_methods_for;

/// Looks for countries that are sold to and that no shipping method goes to.
pub(super) struct ExamineShippingMethods;

impl Examine for ExamineShippingMethods {
    type Uses = (Db, Arc<Config>);

    async fn examine(&self, (db, config): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "shipping.methods";
        let products = db.read(queries::COUNT_SHIPPABLE).scalar::<i64>().await?;
        if products == 0 {
            return Ok(vec![Finding::ok(CHECK, "no product has to be sent")]);
        }
        let sent = counted(products, "product has", "products have");
        if config.shipping.methods.is_empty() {
            let message = format!("{sent} to be sent, and there is no shipping method: nobody can order");
            let fix = "write a `[[shipping.methods]]` with `id`, `label` and `amount`";
            return Ok(vec![Finding::warning(CHECK, message, fix)]);
        }
        let sold_to = &config.shop.countries;
        let is_out_of_reach =
            |country: &&CountryCode| shipping_methods_for(&config.shipping, Some(**country), 0).is_empty();
        let without = sold_to.iter().filter(is_out_of_reach).map(|country| country.as_str()).collect::<Vec<_>>();
        if without.is_empty() {
            return Ok(vec![Finding::ok(CHECK, "a shipping method goes to every country that is sold to")]);
        }
        let message = format!(
            "{sent} to be sent, and no shipping method goes to {} of the {} countries that are sold to: {}",
            without.len(),
            sold_to.len(),
            named(without.iter().copied())
        );
        let fix = "add them to `countries` of a `[[shipping.methods]]`, or leave them out of `shop.countries`";
        Ok(vec![Finding::warning(CHECK, message, fix)])
    }
}
