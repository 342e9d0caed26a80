//! What modules have a say in when their products are sold: the price of a unit, and which settings belong to a capability.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

/// A unit of a product whose price is being found.
#[derive(Debug, Clone, Copy)]
pub struct UnitToPrice<'a> {
    /// What the catalog asks for one with its selections, in minor units.
    pub list_amount: i64,
    /// The product's capabilities.
    pub capabilities: &'a [String],
    /// What the module keeps about the product.
    pub settings: &'a Value,
}

impl UnitToPrice<'_> {
    /// Whether the product has this capability.
    pub fn has(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }
}

/// What a module makes of the price of the products that it keeps settings about. Register it with
/// [`ModuleContext::unit_price`](super::ModuleContext::unit_price).
///
/// It is asked wherever a price is shown in a cart and once more when the order is placed, so it must depend on nothing
/// but what it is given.
pub trait UnitPrice: Send + Sync + 'static {
    /// What one costs when it is bought now, in minor units. With a negative amount the product cannot be bought.
    fn unit_amount(&self, unit: &UnitToPrice<'_>) -> i64;
}

/// The say of all enabled modules, frozen.
#[derive(Clone, Default)]
pub struct SellingRules {
    prices: Vec<(&'static str, Arc<dyn UnitPrice>)>,
    providers: BTreeMap<&'static str, &'static str>,
}

impl fmt::Debug for SellingRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.prices.iter().map(|(module, _)| module)).finish()
    }
}

impl SellingRules {
    /// The rules of modules, and who provides which capability.
    pub(super) fn new(
        mut prices: Vec<(&'static str, Arc<dyn UnitPrice>)>,
        providers: BTreeMap<&'static str, &'static str>,
    ) -> Self {
        prices.sort_by_key(|(module, _)| *module);
        Self { prices, providers }
    }

    /// The module that provides a capability, on or off.
    pub fn provider_of(&self, capability: &str) -> Option<&'static str> {
        self.providers.get(capability).copied()
    }

    /// What one unit costs when it is bought now: each module that keeps settings about the product is asked, by name, with
    /// what the one before it has said.
    pub fn unit_amount(&self, list_amount: i64, capabilities: &[String], settings: &Map<String, Value>) -> i64 {
        self.prices.iter().fold(list_amount, |list_amount, (module, rule)| match settings.get(*module) {
            Some(settings) => rule.unit_amount(&UnitToPrice { list_amount, capabilities, settings }),
            None => list_amount,
        })
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

    /// Takes half of the price, or says that the product cannot be bought.
    struct Half;

    impl UnitPrice for Half {
        fn unit_amount(&self, unit: &UnitToPrice<'_>) -> i64 {
            if unit.has("halved") && unit.settings["half"] == true { unit.list_amount / 2 } else { unit.list_amount }
        }
    }

    fn rules() -> SellingRules {
        let prices: Vec<(&'static str, Arc<dyn UnitPrice>)> = vec![("sale", Arc::new(Half))];
        SellingRules::new(prices, BTreeMap::from([("halved", "sale"), ("stocked", "stock")]))
    }

    fn settings(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).expect("an object")
    }

    #[test]
    fn a_module_prices_only_what_it_keeps_settings_about() {
        let halved = [String::from("halved")];
        let rules = rules();
        assert_eq!(rules.unit_amount(1000, &halved, &settings(json!({"sale": {"half": true}}))), 500);
        assert_eq!(rules.unit_amount(1000, &halved, &settings(json!({"sale": {"half": false}}))), 1000);
        assert_eq!(rules.unit_amount(1000, &halved, &settings(json!({"stock": {"half": true}}))), 1000);
        assert_eq!(rules.unit_amount(1000, &[], &settings(json!({"sale": {"half": true}}))), 1000);
    }

    #[test]
    fn settings_go_with_the_capabilities_that_they_belong_to() {
        let all = json!({"sale": {}, "stock": {"quantity": 1}, "paper": {}});
        let kept = rules().settings_of(&[String::from("stocked")], settings(all));
        assert_eq!(Value::Object(kept), json!({"stock": {"quantity": 1}, "paper": {}}));
    }
}
