//! `stoa order ship`.

use std::str::FromStr;

use clap::Args;
use stoa_core::config::ShippingConfig;
use stoa_core::orders::{Carriage, MAX_TRACKING, OrderNumber, ShipOrderError, ShipmentLine, ship_order_with};
use stoa_core::suggestion::no_such;

use super::show::print_changed;
use super::{Context, open, unknown};
use crate::failure::Failure;

/// Record that goods of a paid order were handed to a carrier.
#[derive(Debug, Args)]
#[command(
    after_help = "Without `--line` everything that remains is shipped. Items have the ids that `stoa order show` prints first.

Examples:
  stoa order ship O-000042 --carrier postnl --tracking 3SABC1234567
  stoa order ship 42 --line 77:1 --line 78:3 --json"
)]
pub(super) struct Ship {
    /// The order's id or number.
    #[arg(value_name = "ORDER")]
    number: OrderNumber,
    /// Units of an item; may be repeated.
    #[arg(long = "line", value_name = "ITEM:QUANTITY")]
    lines: Vec<Line>,
    /// The carrier's number.
    #[arg(long, value_name = "NUMBER", value_parser = tracking)]
    tracking: Option<String>,
    /// Who carries it: the id of one of `[[shipping.carriers]]`.
    #[arg(long, value_name = "CARRIER")]
    carrier: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Ship {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (parts, number) = (open(context).await?, self.number);
        let lines = self.lines.iter().map(|line| line.0).collect::<Vec<_>>();
        let carriage = Carriage { tracking: self.tracking.as_deref(), carrier: self.carrier.as_deref() };
        check_carrier(&parts.config.shipping, carriage.carrier)?;
        let shipped = ship_order_with(&parts.db, number, &lines, carriage).await;
        let shipment = shipped.map_err(|error| refused(number, error))?;
        print_changed(
            &parts.db,
            &parts.money,
            number,
            self.json,
            &format!("shipment {shipment} of order {number} is recorded"),
        )
        .await
    }
}

fn check_carrier(config: &ShippingConfig, carrier: Option<&str>) -> Result<(), Failure> {
    let Some(unknown) = carrier.filter(|id| config.carrier(id).is_none()) else { return Ok(()) };
    let known = config.carriers.iter().map(|carrier| carrier.id.as_str()).collect::<Vec<_>>();
    let mend = if known.is_empty() { "; add it as `[[shipping.carriers]]` to the configuration" } else { "" };
    Err(Failure::usage(format!("--carrier: {}{mend}", no_such("carrier", unknown, known))))
}

fn refused(number: OrderNumber, error: ShipOrderError) -> Failure {
    match error {
        ShipOrderError::NotFound(_) => unknown(number),
        ShipOrderError::NotPaid(_) => Failure::operation(format!(
            "{error}; `stoa order mark-paid {number}` records money that you have seen yourself"
        )),
        _ => error.into(),
    }
}

/// Units of an item as operators write them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line(pub(super) ShipmentLine);

impl FromStr for Line {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || String::from("an item's id and a quantity of at least 1 are expected, such as 77:2");
        let (item_id, quantity) = text.split_once(':').ok_or_else(expected)?;
        let number = |text: &str| text.trim().parse::<i64>().ok().filter(|number| *number > 0).ok_or_else(expected);
        Ok(Self(ShipmentLine { item_id: number(item_id)?, quantity: number(quantity)? }))
    }
}

fn tracking(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = (1..=MAX_TRACKING).contains(&text.chars().count()) && !text.contains(char::is_control);
    let expected = || format!("a tracking number has 1 to {MAX_TRACKING} characters, without control characters");
    fits.then(|| text.to_owned()).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_item_and_a_quantity() {
        let read = |text: &str| text.parse::<Line>().map(|line| (line.0.item_id, line.0.quantity)).ok();
        assert_eq!(read("77:2"), Some((77, 2)));
        for text in ["", "77", "77:", ":2", "77:0", "77:-1", "a:2", "77:2:3", "77:1.5", "99999999999999999999:1"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
