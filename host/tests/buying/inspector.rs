//! A module that takes part in placing orders. What it does depends on what is bought.

use stoa_core::checkout::CheckoutRequirements;
use stoa_core::orders::{OrderCreated, OrderPlacing, OrderPreflight};
use stoa_core::payments::PaymentRecorded;
use stoa_core::prelude::*;

texts! {
    en: "inspector-not-today = Not today.\ninspector-taken = Somebody else has it.",
    de: "inspector-not-today = Heute nicht.\ninspector-taken = Schon vergeben.",
    nl: "inspector-not-today = Vandaag niet.\ninspector-taken = Al vergeven.",
}

const NOTE: Sql = sql!("INSERT INTO installation (name, value) VALUES ($1, $2)");

/// The module: it refuses the product `forbidden` before the transaction and `reserved` inside it, fails with `broken`, and
/// has one more requirement for `present`.
pub(crate) struct Inspector;

impl Module for Inspector {
    const NAME: &'static str = "inspector";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_preflight::<CheckoutRequirements>("inspector.requirements", AskForCard);
        cx.on_preflight::<OrderPreflight>("inspector.preflight", Inspect);
        cx.on_transaction::<OrderPlacing>("inspector.placing", Inspect);
        cx.on_committed::<OrderCreated>("inspector.created", Ignore);
        cx.on_committed::<PaymentRecorded>("inspector.recorded", Ignore);
        Ok(())
    }
}

struct AskForCard;

impl Preflight<CheckoutRequirements> for AskForCard {
    async fn preflight(&self, event: &mut CheckoutRequirements, _: &Db) -> Result<(), ListenerError> {
        if event.lines.iter().any(|line| line.slug == "present") {
            event.requirements.push(String::from("greeting_card"));
        }
        Ok(())
    }
}

struct Inspect;

impl Preflight<OrderPreflight> for Inspect {
    async fn preflight(&self, event: &mut OrderPreflight, _: &Db) -> Result<(), ListenerError> {
        if event.lines.iter().any(|line| line.slug == "forbidden") {
            let message = text!("inspector-not-today");
            event.checks.push(Veto { field: String::from("cart"), message, reason: Some("forbidden") });
        }
        Ok(())
    }
}

impl InTransaction<OrderPlacing> for Inspect {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        let order = event.order.as_ref().ok_or_else(|| ListenerError::Failed(String::from("no order")))?;
        let items = event.lines.iter().filter(|line| line.order_line_id.is_some()).count();
        let (name, value) = (format!("inspected-{}", order.id), format!("{items} of {}", order.number));
        tx.run(NOTE).bind(name).bind(value).execute().await?;
        if event.lines.iter().any(|line| line.slug == "broken") {
            return Err(ListenerError::Failed(String::from("the inspector is ill")));
        }
        if event.lines.iter().any(|line| line.slug == "reserved") {
            let message = text!("inspector-taken");
            return Err(Veto { field: String::from("items"), message, reason: Some("taken") }.into());
        }
        Ok(())
    }
}

struct Ignore;

impl AfterCommit<OrderCreated> for Ignore {
    type Uses = ();

    async fn after_commit(&self, _: &OrderCreated, (): &()) -> Result<(), ListenerError> {
        Ok(())
    }
}

impl AfterCommit<PaymentRecorded> for Ignore {
    type Uses = ();

    async fn after_commit(&self, _: &PaymentRecorded, (): &()) -> Result<(), ListenerError> {
        Ok(())
    }
}
