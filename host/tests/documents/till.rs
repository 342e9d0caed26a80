//! A gateway that takes every payment at once, and sends money back as the reason of the refund says.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

texts! { en: "gateway-till = Till", de: "gateway-till = Till", nl: "gateway-till = Till" }

/// References of the refunds that were asked for, by their reasons, which no two tests share.
static ASKED: LazyLock<Mutex<HashMap<String, Vec<String>>>> = LazyLock::new(Mutex::default);

/// A reason that has this gateway refuse, or be silent, and so on; each is new.
pub(crate) fn reason(says: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{says} #{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The references under which a refund with this reason was asked for.
pub(crate) fn asked(reason: &str) -> Vec<String> {
    ASKED.lock().unwrap_or_else(PoisonError::into_inner).get(reason).cloned().unwrap_or_default()
}

/// The module that brings the gateway, and a listener that fails for some orders.
pub(crate) struct Till;

impl Module for Till {
    const NAME: &'static str = "till";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.gateway(Drawer);
        cx.on_transaction::<stoa_core::orders::OrderPlacing>("till.refuse", RefuseSome);
        cx.on_committed::<RefundRecorded>("till.refunded", KeepRefunds);
        Ok(())
    }
}

struct Drawer;

impl Gateway for Drawer {
    const ID: &'static str = "till";

    fn label(&self) -> Message {
        text!("gateway-till")
    }

    async fn start(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        let report = AttemptReport {
            amount: Some(request.amount),
            payment_id: Some(format!("payment-{}", request.reference)),
            ..AttemptReport::of(AttemptStatus::Succeeded)
        };
        let gateway_attempt_id = Some(request.reference.to_string());
        Ok(StartedAttempt { gateway_attempt_id, redirect_url: None, expires_at: None, report })
    }

    async fn look_up(&self, _: &str) -> Result<AttemptReport, GatewayError> {
        Err(GatewayError::Refused(String::from("nothing is open here")))
    }

    async fn cancel(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        self.look_up(gateway_attempt_id).await
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundReport, GatewayError> {
        if request.payment_id != Some(format!("payment-{}", request.gateway_attempt_id)) {
            return Err(GatewayError::Refused(format!("there is no payment {}", request.gateway_attempt_id)));
        }
        let times = {
            let mut asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
            let own = asked.entry(request.reason.clone()).or_default();
            own.push(request.reference.to_string());
            own.len()
        };
        let report =
            |status| RefundReport { status, gateway_refund_id: Some(request.reference.to_string()), detail: None };
        match request.reason.split(" #").next() {
            Some("refuse") => Err(GatewayError::Refused(String::from("the drawer is empty"))),
            Some("fail") => {
                Ok(RefundReport { detail: Some(String::from("the bank sent it back")), ..report(RefundStatus::Failed) })
            }
            Some("silent") => Err(GatewayError::Unknown(String::from("no answer within 10 s"))),
            Some("silent once") if times == 1 => Err(GatewayError::Unknown(String::from("no answer within 10 s"))),
            Some("pending once") if times == 1 => Ok(report(RefundStatus::Pending)),
            _ => Ok(report(RefundStatus::Succeeded)),
        }
    }
}

/// Refuses, or fails, at orders of products that say so.
struct RefuseSome;

impl InTransaction<stoa_core::orders::OrderPlacing> for RefuseSome {
    async fn in_transaction(&self, event: &stoa_core::orders::OrderPlacing, _: &mut Tx) -> Result<(), ListenerError> {
        if event.lines.iter().any(|line| line.slug == "broken") {
            return Err(ListenerError::Failed(String::from("it is broken")));
        }
        Ok(())
    }
}

const KEEP: Sql = sql!(
    "INSERT INTO order_history (order_id, action, actor, detail, created_at) VALUES ($1, 'heard', 'system', $2, $3)"
);

/// Writes down what it hears of refunds.
struct KeepRefunds;

impl AfterCommit<RefundRecorded> for KeepRefunds {
    type Uses = Db;

    async fn after_commit(&self, event: &RefundRecorded, db: &Db) -> Result<(), ListenerError> {
        let now = db.now();
        let heard = serde_json::to_string(event).map_err(|error| ListenerError::Failed(error.to_string()))?;
        let keep = db.write(async |tx| tx.run(KEEP).bind(event.order_id).bind(heard).bind(now).execute().await);
        keep.await?;
        Ok(())
    }
}
