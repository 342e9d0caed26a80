//! What the lines of an order wish for: tickets of a product, seats and names of holders.

use serde_json::{Map, Value};
use stoa_core::orders::OrderLine;

use crate::refusal::Refusal;
use crate::settings::TicketSettings;

/// The capability of products that sell tickets (contract 4).
pub(crate) const CAPABILITY: &str = "event_ticket";

/// The name under which products keep settings of this module.
pub(crate) const MODULE: &str = "event_tickets";

/// The option whose value is a seat, or a list of as many seats as there are units.
const SEAT: &str = "seat";

/// The option whose value is the holder's name; `holder_2` names that of the second unit.
const HOLDER: &str = "holder";

/// The most characters of a seat and of a name.
const LONGEST: usize = 200;

/// A line with tickets.
#[derive(Debug)]
pub(crate) struct Wish<'a> {
    pub(crate) line: &'a OrderLine,
    pub(crate) settings: TicketSettings,
    /// One for each unit, the first first.
    pub(crate) units: Vec<Unit>,
}

/// A unit of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    /// From 1.
    pub(crate) ordinal: i64,
    pub(crate) holder: Option<String>,
    pub(crate) seat: Option<String>,
}

impl Unit {
    /// The seat as it is compared: `a 12` is `A  12`.
    pub(crate) fn seat_key(&self) -> Option<String> {
        let seat = self.seat.as_ref()?;
        Some(seat.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase())
    }
}

/// The wishes of an order by product, so that all orders take what they need in one sequence.
pub(crate) fn wishes(lines: &[OrderLine]) -> Result<Vec<Wish<'_>>, (Refusal, &OrderLine)> {
    let mut wishes = Vec::new();
    for line in lines.iter().filter(|line| line.has(CAPABILITY)) {
        let settings = line.settings(MODULE).and_then(|settings| TicketSettings::read(settings).ok());
        let settings = settings.ok_or((Refusal::NotOnSale, line))?;
        let units = units(line).map_err(|refusal| (refusal, line))?;
        wishes.push(Wish { line, settings, units });
    }
    wishes.sort_by_key(|wish| (wish.line.product_id, wish.line.order_line_id));
    Ok(wishes)
}

fn units(line: &OrderLine) -> Result<Vec<Unit>, Refusal> {
    let seats = seats(&line.selections);
    let quantity = usize::try_from(line.quantity).unwrap_or_default();
    // A seat is for one: three units of a line with one seat would be three people on it.
    if !seats.is_empty() && seats.len() != quantity {
        return Err(Refusal::SeatTaken);
    }
    let mut seats = seats.into_iter();
    let unit = |ordinal| Unit { ordinal, holder: holder(&line.selections, ordinal), seat: seats.next() };
    Ok((1..=line.quantity).map(unit).collect())
}

fn seats(selections: &Map<String, Value>) -> Vec<String> {
    match selections.get(SEAT) {
        Some(Value::Array(seats)) => seats.iter().filter_map(text).collect(),
        Some(seat) => text(seat).into_iter().collect(),
        None => Vec::new(),
    }
}

fn holder(selections: &Map<String, Value>, ordinal: i64) -> Option<String> {
    let own = selections.get(&format!("{HOLDER}_{ordinal}")).and_then(text);
    own.or_else(|| selections.get(HOLDER).and_then(text))
}

/// A text or number as one line.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.chars().filter(|character| !character.is_control()).take(LONGEST).collect::<String>();
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(quantity: i64, selections: &Value) -> OrderLine {
        let settings = json!({"event": "A", "starts_at": "2031-05-01T19:00:00Z", "capacity": 5});
        OrderLine {
            order_line_id: Some(1),
            product_id: 1,
            slug: String::from("a"),
            sku: None,
            label: String::from("A"),
            quantity,
            unit_amount: 1000,
            list_amount: None,
            selections: selections.as_object().cloned().unwrap_or_default(),
            choice_skus: Vec::new(),
            capabilities: vec![CAPABILITY.to_owned()],
            module_settings: [(MODULE.to_owned(), settings)].into_iter().collect(),
        }
    }

    fn holders(quantity: i64, selections: &Value) -> Vec<Option<String>> {
        let units = units(&line(quantity, selections)).expect("it can be bought");
        units.into_iter().map(|unit| unit.holder).collect()
    }

    #[test]
    fn a_holder_is_that_of_all_units_unless_one_has_its_own() {
        let named = |name: &str| Some(name.to_owned());
        assert_eq!(holders(2, &json!({"holder": " Ada   L. "})), [named("Ada L."), named("Ada L.")]);
        assert_eq!(holders(2, &json!({"holder": "Ada", "holder_2": "Bob"})), [named("Ada"), named("Bob")]);
        assert_eq!(holders(2, &json!({"holder_2": "Bob", "holder": ""})), [None, named("Bob")]);
        assert_eq!(holders(1, &json!({"holder": true})), [None]);
    }

    #[test]
    fn each_unit_needs_a_seat_of_its_own() {
        let seats = |quantity: i64, seat: &Value| {
            let units = units(&line(quantity, &json!({"seat": seat})))?;
            Ok(units.into_iter().filter_map(|unit| unit.seat_key()).collect::<Vec<_>>())
        };
        assert_eq!(seats(1, &json!("A  12")), Ok(vec![String::from("a 12")]));
        assert_eq!(seats(1, &json!(12)), Ok(vec![String::from("12")]));
        assert_eq!(seats(2, &json!(["A1", "A2"])), Ok(vec![String::from("a1"), String::from("a2")]));
        assert_eq!(seats(2, &json!("A1")), Err(Refusal::SeatTaken));
        assert_eq!(seats(3, &json!(["A1", "A2"])), Err(Refusal::SeatTaken));
        assert_eq!(seats(2, &json!("")), Ok(Vec::new()));
    }

    #[test]
    fn a_product_without_an_event_is_not_on_sale() {
        let mut without = line(1, &json!({}));
        without.module_settings = Map::new();
        assert_eq!(wishes(&[without]).map(|_| ()).map_err(|(refusal, _)| refusal), Err(Refusal::NotOnSale));
    }
}
