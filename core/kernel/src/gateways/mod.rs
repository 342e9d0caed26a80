//! Payment gateways: what an adapter between the shop and a payment provider does, and the table of those that are there.
//!
//! An adapter talks to its provider and translates. It knows no order and writes nothing: what its answers mean for a
//! payment is decided in one place, the feature `payments`.

mod callback;
mod gateway;
mod report;
mod table;

pub use callback::{Callback, CallbackError, Notice, NoticeSubject, Notification};
pub use gateway::{AttemptRequest, ExaminedProvider, Gateway, GatewayError, RefundRequest, StartedAttempt};
pub use report::{AttemptReport, AttemptStatus, RefundReport, RefundStatus};
pub use table::{ErasedGateway, GatewayTable, GatewayTableBuilder};
