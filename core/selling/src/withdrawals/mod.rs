//! Withdrawing from an order, where the law gives consumers the right to (C10.1), and digital goods that end it (C10.2).
//!
//! Customers declare; the shop accepts or refuses, and sends money back as for any refund. The units that are withdrawn are rows, whose key
//! is the unit: none is withdrawn twice, and none that is withdrawn is delivered.

mod by_mail;
mod decide;
mod declare;
mod delivery;
mod events;
mod facts;
mod mail_part;
mod mails;
mod model;
mod number;
mod oversight;
mod period;
mod personal;
mod queries;
mod read;
mod refund;
mod rights;
mod routes;
mod rules;
mod search;
mod status;

pub use by_mail::{RequestWithdrawalError, WithdrawalRequests, request_withdrawal};
pub use decide::{
    CompleteWhen, MAX_REFUSAL, WithdrawalChangeError, accept_withdrawal, complete_withdrawal, refuse_withdrawal,
};
pub use declare::{Declaration, Declarations, DeclareError, DeclaredLine, declare};
pub use events::{DeclaredUnits, WithdrawalDeclared};
pub use facts::tell_rights;
pub use model::{
    ExcludedUnits, OrderWithdrawal, OrderWithdrawalLine, WithdrawalLine, WithdrawalRecord, WithdrawalResource,
};
pub use number::{NumberedWithdrawal, WithdrawalNumber};
pub use read::{WithdrawalFilter, find_withdrawal, list_withdrawals};
pub use refund::{preview_withdrawal, refund_withdrawal};
pub use search::{WithdrawalSearch, count_declared_withdrawals, count_withdrawals, search_withdrawals};
pub use status::{WithdrawalExclusion, WithdrawalRule, WithdrawalStatus};

pub(crate) use delivery::hold_until_period_ends;
pub(crate) use facts::{is_on, tell_rights_of};

use stoa_customers::customers::{CustomerAnonymizing, CustomerExporting};
use stoa_kernel::config::Config;
use stoa_kernel::module::{ModuleContext, RegisterError};

/// The routes of this feature, which are there only where the law gives the right; and what follows from withdrawals that are there.
pub(crate) fn register(cx: &mut ModuleContext<'_>, config: &Config) -> Result<(), RegisterError> {
    for template in mails::ALL {
        cx.mail_template(template);
    }
    cx.mail_part(mail_part::SayHeld);
    for invariant in oversight::INVARIANTS {
        cx.invariant(invariant);
    }
    cx.examine_database("withdrawals.waiting", oversight::WaitingWithdrawals);
    cx.examine(oversight::ConsumerRightsSettings);
    cx.measure(oversight::Gauges);
    cx.on_transaction::<CustomerAnonymizing>("withdrawals.erase", personal::EraseStatements);
    cx.on_preflight::<CustomerExporting>("withdrawals.export", personal::ExportWithdrawals);
    cx.on_committed("withdrawals.declare_requested", by_mail::DeclareRequested);
    cx.task(delivery::Deliver);
    if !is_on(config) {
        return Ok(());
    }
    cx.routes((), routes::withdrawal_routes())?;
    cx.routes((), by_mail::by_mail_routes())
}
