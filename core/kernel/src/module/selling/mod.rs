//! What modules have a say in when their products are sold: the price of a unit, lines of their own beside the products, and which
//! settings belong to a capability.

mod added_lines;
mod unit_price;
mod withdrawal_right;

use std::collections::BTreeMap;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

pub(crate) use added_lines::ErasedAddLines;
pub use added_lines::{AddLines, AddedLine, CartToPrice, LineToPrice};
pub(crate) use unit_price::ErasedUnitPrice;
pub use unit_price::{UnitPrice, UnitToPrice};
pub use withdrawal_right::WithdrawalRight;

use crate::db::{DbError, Reader};
use crate::events::ListenerError;

/// The capability of products that are sent by parcel (contract 4).
const SHIPPABLE: &str = "shippable";

/// What a rule reads, boxed for a table of many.
type Reading<'a, T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;

/// A rule with the module that it is of.
pub(crate) type Owned<T> = (&'static str, Arc<T>);

/// Who buys and when, with what the modules know about them.
#[derive(Debug, Clone)]
pub struct Buyer {
    customer_id: Option<i64>,
    now: DateTime<Utc>,
    /// What the price rules know about the customer, in their order; empty of a guest.
    terms: Vec<Value>,
}

impl Buyer {
    /// A guest, or whoever reads the catalog.
    pub fn guest(now: DateTime<Utc>) -> Self {
        Self { customer_id: None, now, terms: Vec::new() }
    }
}

/// Units of a product whose price is asked for.
#[derive(Debug, Clone, Copy)]
pub struct ListedUnits<'a> {
    /// What the catalog asks for one with its selections, in minor units.
    pub list_amount: i64,
    /// How many are bought together.
    pub quantity: i64,
    /// The product's capabilities.
    pub capabilities: &'a [String],
    /// What the modules keep about the product, by module.
    pub settings: &'a Map<String, Value>,
}

/// The say of all enabled modules, frozen.
#[derive(Clone, Default)]
pub struct SellingRules {
    prices: Vec<Owned<dyn ErasedUnitPrice>>,
    added_lines: Vec<Owned<dyn ErasedAddLines>>,
    providers: BTreeMap<&'static str, &'static str>,
    withdrawal_rights: BTreeMap<&'static str, WithdrawalRight>,
}

impl fmt::Debug for SellingRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prices = self.prices.iter().map(|(module, _)| module);
        f.debug_list().entries(prices.chain(self.added_lines.iter().map(|(module, _)| module))).finish()
    }
}

impl SellingRules {
    /// The rules of modules, and who provides which capability.
    pub(super) fn new(
        mut prices: Vec<Owned<dyn ErasedUnitPrice>>,
        mut added_lines: Vec<Owned<dyn ErasedAddLines>>,
        providers: BTreeMap<&'static str, &'static str>,
        withdrawal_rights: BTreeMap<&'static str, WithdrawalRight>,
    ) -> Self {
        prices.sort_by_key(|(module, _)| *module);
        added_lines.sort_by_key(|(module, _)| *module);
        Self { prices, added_lines, providers, withdrawal_rights }
    }

    /// The module that provides a capability, on or off.
    pub fn provider_of(&self, capability: &str) -> Option<&'static str> {
        self.providers.get(capability).copied()
    }

    /// What modules say about the right to withdraw from the purchase of a product with these capabilities; none for what is sent,
    /// which may always be sent back, and for what no module says anything about.
    pub fn withdrawal_right(&self, capabilities: &[String]) -> Option<WithdrawalRight> {
        if capabilities.iter().any(|capability| capability == SHIPPABLE) {
            return None;
        }
        capabilities.iter().filter_map(|capability| self.withdrawal_rights.get(capability.as_str()).copied()).max()
    }

    /// A customer or a guest, with what the modules know about them.
    pub async fn buyer(&self, customer_id: Option<i64>, reader: &mut Reader<'_>) -> Result<Buyer, DbError> {
        let mut buyer = Buyer { customer_id, ..Buyer::guest(reader.now()) };
        if let Some(customer_id) = customer_id {
            for (_, rule) in &self.prices {
                buyer.terms.push(rule.terms(customer_id, reader).await?);
            }
        }
        Ok(buyer)
    }

    /// Whether any module has a say in prices.
    pub fn has_price_rules(&self) -> bool {
        !self.prices.is_empty()
    }

    /// Whether this module has a say in the prices of the products that it keeps settings about.
    pub fn prices_by(&self, module: &str) -> bool {
        self.prices.iter().any(|(owner, _)| *owner == module)
    }

    /// Whether the price of a product with these settings may be another for another customer or at another time.
    pub fn vary(&self, settings: &Map<String, Value>) -> bool {
        self.prices.iter().any(|(module, rule)| rule.varies() && settings.contains_key(*module))
    }

    /// What one unit costs when it is bought now: each module that keeps settings about the product is asked, by name, with
    /// what the one before it has said.
    pub fn unit_amount(&self, units: &ListedUnits<'_>, buyer: &Buyer) -> i64 {
        let ListedUnits { list_amount, quantity, capabilities, settings } = *units;
        self.prices.iter().enumerate().fold(list_amount, |list_amount, (index, (module, rule))| {
            let Some(settings) = settings.get(*module) else { return list_amount };
            let terms = buyer.terms.get(index).unwrap_or(&Value::Null);
            let (customer_id, now) = (buyer.customer_id, buyer.now);
            rule.unit_amount(&UnitToPrice { list_amount, quantity, capabilities, settings, customer_id, terms, now })
        })
    }

    /// The lines that modules add to this cart, by module, each with the name of its module.
    pub async fn added_lines(
        &self,
        cart: &CartToPrice<'_>,
        reader: &mut Reader<'_>,
    ) -> Result<Vec<(&'static str, AddedLine)>, ListenerError> {
        let mut added = Vec::new();
        for (module, rule) in &self.added_lines {
            added.extend(rule.lines(cart, reader).await?.into_iter().map(|line| (*module, line)));
        }
        Ok(added)
    }

    /// The settings of a product without those of modules that provide none of these capabilities. What belongs to no
    /// capability stays.
    pub fn settings_of(&self, capabilities: &[String], mut settings: Map<String, Value>) -> Map<String, Value> {
        let provides = |module: &str, wanted: &dyn Fn(&str) -> bool| {
            self.providers.iter().any(|(capability, provider)| *provider == module && wanted(capability))
        };
        settings.retain(|module, _| {
            let is_wanted = |capability: &str| capabilities.iter().any(|own| own == capability);
            !provides(module, &|_| true) || provides(module, &is_wanted)
        });
        settings
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Takes half of the price, and nothing of the price of one alone.
    struct Half;

    impl UnitPrice for Half {
        fn unit_amount(&self, unit: &UnitToPrice<'_>) -> i64 {
            let is_halved = unit.has("halved") && unit.settings["half"] == true && unit.quantity > 1;
            if is_halved { unit.list_amount / 2 } else { unit.list_amount }
        }
    }

    fn rules() -> SellingRules {
        let prices: Vec<Owned<dyn ErasedUnitPrice>> = vec![("sale", Arc::new(Half))];
        let rights =
            BTreeMap::from([("file", WithdrawalRight::EndsWithDelivery), ("concert", WithdrawalRight::NoneForADate)]);
        SellingRules::new(prices, Vec::new(), BTreeMap::from([("halved", "sale"), ("stocked", "stock")]), rights)
    }

    fn settings(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).expect("an object")
    }

    #[test]
    fn a_module_prices_only_what_it_keeps_settings_about() {
        let halved = [String::from("halved")];
        let amount = |capabilities: &[String], kept: Value, quantity: i64| {
            let units = ListedUnits { list_amount: 1000, quantity, capabilities, settings: &settings(kept) };
            rules().unit_amount(&units, &Buyer::guest(DateTime::UNIX_EPOCH))
        };
        assert_eq!(amount(&halved, json!({"sale": {"half": true}}), 2), 500);
        assert_eq!(amount(&halved, json!({"sale": {"half": true}}), 1), 1000);
        assert_eq!(amount(&halved, json!({"sale": {"half": false}}), 2), 1000);
        assert_eq!(amount(&halved, json!({"stock": {"half": true}}), 2), 1000);
        assert_eq!(amount(&[], json!({"sale": {"half": true}}), 2), 1000);
    }

    #[test]
    fn what_is_sent_may_be_sent_back_whatever_comes_with_it() {
        let right = |capabilities: &[&str]| {
            let capabilities = capabilities.iter().map(|&one| one.to_owned()).collect::<Vec<_>>();
            rules().withdrawal_right(&capabilities)
        };
        assert_eq!(right(&[]), None);
        assert_eq!(right(&["halved"]), None);
        assert_eq!(right(&["halved", "file"]), Some(WithdrawalRight::EndsWithDelivery));
        assert_eq!(right(&["file", "concert"]), Some(WithdrawalRight::NoneForADate));
        assert_eq!(right(&["file", "shippable"]), None);
    }

    #[test]
    fn settings_go_with_the_capabilities_that_they_belong_to() {
        let all = json!({"sale": {}, "stock": {"quantity": 1}, "paper": {}});
        let kept = rules().settings_of(&[String::from("stocked")], settings(all));
        assert_eq!(Value::Object(kept), json!({"stock": {"quantity": 1}, "paper": {}}));
    }
}
