//! A module that has a say in prices and adds lines of its own to orders.

use serde_json::{Value, json};
use stoa_core::config::CountryCode;
use stoa_core::orders::{OrderPlacing, OrderPreflight};
use stoa_core::prelude::*;

texts! {
    en: "tariffs-fee = Fee for cash\ntariffs-import = Import from { $country }\ntariffs-bundle = Bundle",
    de: "tariffs-fee = Gebühr für Barzahlung\ntariffs-import = Einfuhr aus { $country }\ntariffs-bundle = Paket",
    nl: "tariffs-fee = Toeslag voor contant\ntariffs-import = Invoer uit { $country }\ntariffs-bundle = Pakket",
}

/// Who is a member.
pub(crate) const MEMBER: Sql = sql!("SELECT COUNT(*) FROM installation WHERE name = $1");
const NOTE: Sql = sql!(
    "INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
);

/// The module: members pay another price, many units do, and it changes at a time; cash and some countries cost more, and three
/// units of `book` cost less.
pub(crate) struct Tariffs;

impl Module for Tariffs {
    const NAME: &'static str = "tariffs";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.product_settings::<Tariff>();
        cx.unit_price(TariffPrice);
        cx.added_lines(Extras);
        cx.on_preflight::<OrderPreflight>("tariffs.note", NoteWhatIsKnown);
        cx.on_transaction::<OrderPlacing>("tariffs.place", NoteWhatIsAdded);
        Ok(())
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Tariff {
    member_amount: Option<i64>,
    from_ten_amount: Option<i64>,
    tomorrow_amount: Option<i64>,
    tomorrow: Option<chrono::DateTime<chrono::Utc>>,
}

impl ProductSettings for Tariff {
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }
}

struct TariffPrice;

impl UnitPrice for TariffPrice {
    const VARIES: bool = true;

    fn unit_amount(&self, unit: &UnitToPrice<'_>) -> i64 {
        let tariff = serde_json::from_value::<Tariff>(unit.settings.clone()).unwrap_or_default();
        let is_tomorrow = tariff.tomorrow.is_some_and(|tomorrow| unit.now >= tomorrow);
        let offers = [
            tariff.member_amount.filter(|_| unit.terms["member"] == true && unit.customer_id.is_some()),
            tariff.from_ten_amount.filter(|_| unit.quantity >= 10),
            tariff.tomorrow_amount.filter(|_| is_tomorrow),
        ];
        offers.into_iter().flatten().min().unwrap_or(unit.list_amount)
    }

    async fn terms(&self, customer_id: i64, reader: &mut Reader<'_>) -> Result<Value, DbError> {
        let is_member = reader.read(MEMBER).bind(format!("member-{customer_id}")).scalar::<i64>().await? > 0;
        Ok(json!({"member": is_member}))
    }
}

struct Extras;

impl AddLines for Extras {
    async fn lines(&self, cart: &CartToPrice<'_>, _: &mut Reader<'_>) -> Result<Vec<AddedLine>, ListenerError> {
        let mut lines = Vec::new();
        let mut add = |key: &str, label: Message, amount: i64, tax_class: Option<&str>| {
            let tax_class = tax_class.map(str::to_owned);
            lines.push(AddedLine { key: key.to_owned(), label, amount, tax_class });
        };
        if cart.payment_method == "development" {
            add("cash", text!("tariffs-fee"), 300, Some("reduced"));
        }
        if let Some(country) = cart.country.filter(|country| country.as_str() == "DE") {
            add("import", text!("tariffs-import", country = country.as_str()), 1000, None);
        }
        if cart.lines.iter().any(|line| line.label == "Book" && line.quantity >= 3) {
            add("bundle", text!("tariffs-bundle"), -500, None);
        }
        Ok(lines)
    }
}

struct NoteWhatIsKnown;

impl Preflight<OrderPreflight> for NoteWhatIsKnown {
    async fn preflight(&self, event: &mut OrderPreflight, db: &Db) -> Result<(), ListenerError> {
        let known = json!({
            "country": event.country.map(CountryCode::as_str), "shipping_method_id": event.shipping_method_id,
            "payment_method": event.payment_method, "discount_code": event.discount_code, "answers": event.answers,
        });
        let name = format!("known-{}", event.customer_id);
        db.write(async |tx| tx.run(NOTE).bind(name).bind(known.to_string()).execute().await).await?;
        Ok(())
    }
}

struct NoteWhatIsAdded;

impl InTransaction<OrderPlacing> for NoteWhatIsAdded {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        let Some(order) = &event.order else { return Ok(()) };
        let added = event.added_by("tariffs").map(|line| json!([line.key, line.amount, line.order_line_id]));
        let added = json!({"added": added.collect::<Vec<_>>(), "answers": event.answers});
        tx.run(NOTE).bind(format!("added-{}", order.id)).bind(added.to_string()).execute().await?;
        Ok(())
    }
}
