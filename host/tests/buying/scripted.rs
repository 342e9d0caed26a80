//! A gateway that answers as the test has written.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use stoa_core::prelude::*;

texts! { en: "gateway-scripted = Scripted", de: "gateway-scripted = Scripted", nl: "gateway-scripted = Scripted" }

static SCRIPTS: LazyLock<Mutex<HashMap<u64, Script>>> = LazyLock::new(Mutex::default);

/// What the provider says to one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// How far the attempt is; with the amount that was asked for where money has come.
    Is(AttemptStatus),
    /// That another amount has come.
    Paid(i64),
    /// No.
    Refuses,
    /// Nothing that could be understood.
    Nothing,
}

struct Answers {
    start: Says,
    look_up: Says,
    cancel: Says,
    amount: Option<Money>,
    asked: Vec<String>,
}

/// What the provider answers in one test, and what it was asked. Requests carry its number in their URL.
#[derive(Clone)]
pub(crate) struct Script {
    number: u64,
    answers: Arc<Mutex<Answers>>,
}

impl Script {
    /// A provider where attempts stay open until they are cancelled.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let pending = Says::Is(AttemptStatus::Pending);
        let cancel = Says::Is(AttemptStatus::Cancelled);
        let answers = Answers { start: pending, look_up: pending, cancel, amount: None, asked: Vec::new() };
        let script = Self { number: NEXT.fetch_add(1, Ordering::Relaxed), answers: Arc::new(Mutex::new(answers)) };
        locked(&SCRIPTS).insert(script.number, script.clone());
        script
    }

    fn of(number: &str) -> Result<Self, GatewayError> {
        let found = number.parse().ok().and_then(|number: u64| locked(&SCRIPTS).get(&number).cloned());
        found.ok_or_else(|| GatewayError::Refused(format!("there is no script `{number}`")))
    }

    /// The body of a payment that this script answers.
    pub(crate) fn body(&self) -> Value {
        let return_url = format!("https://shop.example/thanks#{}", self.number);
        json!({"gateway": "scripted", "return_url": return_url, "cancel_url": "https://shop.example/cart"})
    }

    pub(crate) fn start(&self, says: Says) {
        locked(&self.answers).start = says;
    }

    pub(crate) fn look_up(&self, says: Says) {
        locked(&self.answers).look_up = says;
    }

    pub(crate) fn cancel(&self, says: Says) {
        locked(&self.answers).cancel = says;
    }

    /// What the provider was asked, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        locked(&self.answers).asked.clone()
    }

    fn report(&self, says: Says) -> Result<AttemptReport, GatewayError> {
        match says {
            Says::Is(status) => Ok(AttemptReport { amount: locked(&self.answers).amount, ..AttemptReport::of(status) }),
            Says::Paid(amount) => {
                let amount = Some(Money::new(amount, Currency::EUR));
                Ok(AttemptReport { amount, ..AttemptReport::of(AttemptStatus::Succeeded) })
            }
            Says::Refuses => Err(GatewayError::Refused(String::from("no"))),
            Says::Nothing => Err(GatewayError::Unknown(String::from("silence"))),
        }
    }

    fn asked_for(&self, question: &str) -> Answers {
        let mut answers = locked(&self.answers);
        answers.asked.push(question.to_owned());
        Answers { asked: Vec::new(), ..*answers }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The module that brings the gateway.
pub(crate) struct ScriptedPayments;

impl Module for ScriptedPayments {
    const NAME: &'static str = "scripted_payments";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.gateway(Scripted);
        Ok(())
    }
}

struct Scripted;

impl Gateway for Scripted {
    const ID: &'static str = "scripted";

    fn label(&self) -> Message {
        text!("gateway-scripted")
    }

    async fn start(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        let number = request.return_url.rsplit_once('#').map(|(_, number)| number).unwrap_or_default();
        let script = Script::of(number)?;
        locked(&script.answers).amount = Some(request.amount);
        let says = script.asked_for(&format!("start {}", request.order_number)).start;
        Ok(StartedAttempt {
            report: script.report(says)?,
            gateway_attempt_id: Some(format!("{number}/{}", request.reference)),
            redirect_url: Some(format!("https://provider.example/{}", request.reference)),
            expires_at: None,
        })
    }

    async fn look_up(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        let script = script_of(gateway_attempt_id)?;
        script.report(script.asked_for("look_up").look_up)
    }

    async fn cancel(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        let script = script_of(gateway_attempt_id)?;
        script.report(script.asked_for("cancel").cancel)
    }

    async fn refund(&self, _: &RefundRequest) -> Result<RefundReport, GatewayError> {
        Err(GatewayError::Refused(String::from("nothing goes back here")))
    }
}

fn script_of(gateway_attempt_id: &str) -> Result<Script, GatewayError> {
    Script::of(gateway_attempt_id.split('/').next().unwrap_or_default())
}
