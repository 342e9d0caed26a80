//! Which SKUs the lines of an order take, and how much of each.

use std::collections::BTreeMap;

use stoa_core::orders::OrderLine;
use stoa_core::prelude::*;

use crate::queries;
use crate::settings::{Declared, INVENTORY, StockSettings, declared};
use crate::stock::{Stock, as_json};

/// What one line takes of one SKU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineDemand {
    /// Where the line stands among the others.
    pub(crate) line: usize,
    /// Pieces that one unit takes.
    pub(crate) per_unit: i64,
    /// Units.
    pub(crate) units: i64,
}

/// What all lines together take of one SKU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Demand {
    /// Pieces.
    pub(crate) quantity: i64,
    /// The name of the first product that takes some.
    pub(crate) label: String,
    /// What the products say about the SKU.
    pub(crate) declared: Option<Declared>,
    /// The lines that take some.
    pub(crate) lines: Vec<LineDemand>,
}

/// The demand of several lines by SKU, sorted: everybody takes stock in this order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Demands(BTreeMap<String, Demand>);

impl Demands {
    /// Sums up what the lines take.
    pub(crate) fn of<'a>(lines: impl IntoIterator<Item = &'a OrderLine>) -> Self {
        let mut demands = Self::default();
        for (index, line) in lines.into_iter().enumerate() {
            demands.add(index, line);
        }
        demands
    }

    fn add(&mut self, index: usize, line: &OrderLine) {
        let settings = line.settings(INVENTORY).map(StockSettings::read);
        let units = line.quantity;
        for (sku, per_unit) in skus_of(line, settings.as_ref()) {
            let declared = declared(settings.as_ref(), line.has(INVENTORY), &sku);
            let taken = LineDemand { line: index, per_unit, units };
            let demand = self.0.entry(sku).or_insert_with(|| Demand {
                quantity: 0,
                label: line.label.clone(),
                declared: None,
                lines: Vec::new(),
            });
            demand.quantity = demand.quantity.saturating_add(per_unit.saturating_mul(units));
            demand.declared = demand.declared.or(declared);
            demand.lines.push(taken);
        }
    }

    /// The SKUs and their demand, sorted by SKU.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &Demand)> {
        self.0.iter()
    }

    /// The SKUs as the statements take them.
    pub(crate) fn skus(&self) -> String {
        as_json(self.0.keys())
    }

    /// What there is of each SKU that is counted; of one that nobody has looked at yet, what its product says.
    pub(crate) async fn read(&self, db: &Db) -> Result<BTreeMap<String, Stock>, DbError> {
        let stored = db.read(queries::FIND_STOCK).bind(self.skus()).all::<Stock>().await?;
        Ok(self.counted(stored))
    }

    /// The counted ones of these rows, and what products say of those without one.
    pub(crate) fn counted(&self, stored: Vec<Stock>) -> BTreeMap<String, Stock> {
        let mut counted = stored.into_iter().map(|stock| (stock.sku.clone(), stock)).collect::<BTreeMap<_, _>>();
        for (sku, demand) in &self.0 {
            match (counted.get_mut(sku), demand.declared) {
                (Some(stock), Some(_)) => stock.tracked = true,
                (None, Some(declared)) => {
                    counted.insert(sku.clone(), declared.as_new(sku));
                }
                (_, None) => {}
            }
        }
        counted.retain(|_, stock| stock.tracked);
        counted
    }
}

impl Declared {
    /// The stock of a SKU that nobody has looked at yet.
    pub(crate) fn as_new(self, sku: &str) -> Stock {
        Stock {
            sku: sku.to_owned(),
            on_hand: self.quantity.unwrap_or(0),
            reserved: 0,
            backorder: self.backorder.unwrap_or(false),
            tracked: true,
        }
    }
}

/// The SKUs that a unit of a line takes, and how many pieces of each: those of the variant that the selections make, else
/// those of the selected choices, else the product's own, which is its slug where it has none.
pub(crate) fn skus_of(line: &OrderLine, settings: Option<&StockSettings>) -> BTreeMap<String, i64> {
    if let Some(variant) = settings.and_then(|settings| settings.variant(&line.selections)) {
        return BTreeMap::from([(variant.sku.clone(), 1)]);
    }
    let mut skus = BTreeMap::new();
    for sku in &line.choice_skus {
        *skus.entry(sku.clone()).or_insert(0) += 1;
    }
    if skus.is_empty() {
        skus.insert(line.sku.clone().unwrap_or_else(|| line.slug.clone()), 1);
    }
    skus
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;

    fn line(slug: &str, quantity: i64, members: &Value) -> OrderLine {
        let texts = |name: &str| members[name].as_array().into_iter().flatten().filter_map(Value::as_str);
        OrderLine {
            order_line_id: None,
            product_id: 1,
            slug: slug.to_owned(),
            sku: members["sku"].as_str().map(str::to_owned),
            label: slug.to_uppercase(),
            quantity,
            unit_amount: 100,
            list_amount: None,
            selections: members["selections"].as_object().cloned().unwrap_or_default(),
            choice_skus: texts("choices").map(str::to_owned).collect(),
            capabilities: Vec::new(),
            module_settings: members
                .get("settings")
                .map(|own| Map::from_iter([(String::from("inventory"), own.clone())]))
                .unwrap_or_default(),
        }
    }

    fn taken(lines: &[OrderLine]) -> Vec<(String, i64, bool)> {
        let demands = Demands::of(lines);
        demands.iter().map(|(sku, demand)| (sku.clone(), demand.quantity, demand.declared.is_some())).collect()
    }

    #[test]
    fn lines_of_one_sku_add_up_and_a_choice_that_is_taken_twice_counts_twice() {
        let lines = [
            line("mug", 2, &json!({"sku": "MUG", "settings": {"quantity": 5}})),
            line("set", 3, &json!({"choices": ["MUG", "PLATE", "PLATE"], "sku": "SET"})),
            line("bare", 1, &json!({})),
        ];
        let expected = [("MUG", 5, true), ("PLATE", 6, false), ("bare", 1, false)];
        assert_eq!(taken(&lines), expected.map(|(sku, quantity, told)| (sku.to_owned(), quantity, told)));
        assert_eq!(Demands::of(&lines).iter().next().map(|(_, demand)| demand.label.as_str()), Some("MUG"));
    }

    #[test]
    fn several_selections_together_make_a_variant() {
        let settings = json!({"variants": [
            {"sku": "TEE-S-RED", "quantity": 1, "selections": {"size": "s", "color": "red"}},
            {"sku": "TEE-S-BLUE", "quantity": 2, "selections": {"size": "s", "color": "blue"}},
        ]});
        let tee = |color: &str| {
            let members = json!({"settings": settings, "selections": {"size": "s", "color": color, "print": "Ada"}});
            line("tee", 1, &members)
        };
        assert_eq!(taken(&[tee("blue")]), [(String::from("TEE-S-BLUE"), 1, true)]);
        // Nobody says how many of this one there are.
        assert_eq!(taken(&[tee("green")]), [(String::from("tee"), 1, false)]);
    }
}
