//! A module that hears of payments. What it was given is counted in the database.

use stoa_core::orders::OrderPaid;
use stoa_core::payments::PaymentRecorded;
use stoa_core::prelude::*;

/// The listener of [`OrderPaid`].
pub(crate) const PAID: &str = "listening.paid";

/// The listener of [`PaymentRecorded`].
pub(crate) const RECORDED: &str = "listening.recorded";

pub(crate) struct Listening;

impl Module for Listening {
    const NAME: &'static str = "listening";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_committed::<OrderPaid>(PAID, Listening);
        cx.on_committed::<PaymentRecorded>(RECORDED, Listening);
        Ok(())
    }
}

impl AfterCommit<OrderPaid> for Listening {
    type Uses = ();

    async fn after_commit(&self, _: &OrderPaid, (): &()) -> Result<(), ListenerError> {
        Ok(())
    }
}

impl AfterCommit<PaymentRecorded> for Listening {
    type Uses = ();

    async fn after_commit(&self, _: &PaymentRecorded, (): &()) -> Result<(), ListenerError> {
        Ok(())
    }
}
