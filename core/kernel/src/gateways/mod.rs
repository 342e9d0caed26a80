//! Payment gateways: what stands between the shop and a payment provider, and the table of those that are there.
//!
//! A gateway talks to its provider and translates. It knows no order and writes nothing: what its answers mean for a
//! payment is decided in one place, the feature `payments`.

mod callback;
mod gateway;
mod report;
mod table;

pub use callback::{Callback, CallbackError, Notice, NoticeSubject, Notification};
pub use gateway::{AttemptRequest, ExaminedProvider, Gateway, GatewayError, RefundRequest, StartedAttempt};
pub use report::{AttemptReport, AttemptStatus, RefundReport, RefundStatus};
pub use table::{ErasedGateway, GatewayTable, GatewayTableBuilder};
