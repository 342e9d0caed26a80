//! Customers and the users behind them (S1 rule 5: their ids differ).

mod account;
mod anonymize;
mod beginning;
mod change;
mod create;
mod credentials;
mod export;
mod fields;
mod mail_reader;
mod queries;
mod sessions;

use chrono::TimeDelta;

pub use crate::guests::count_guests;
pub use account::{
    AccountFilter, CustomerAccount, find_account, find_account_by_email, find_guest_by_email, list_accounts,
    nearest_email,
};
pub use anonymize::{Anonymization, AnonymizeError, anonymize_customer};
pub use beginning::find_customers_beginning;
pub use change::{
    ChangeCustomerError, ChangedCustomer, CustomerChanges, Verification, change_customer, set_password,
    set_verification,
};
pub use create::{CreateCustomerError, CustomerRecord, NewCustomer, create_customer, find_customer};
pub use export::{export_customer, exported_document};
pub use fields::{MAX_LENGTH, PASSWORD_LENGTH, stored_email, stored_name};
pub use sessions::{CustomerSession, EndedAccess, end_sessions, list_sessions, log_out_customer};
pub use stoa_kernel::auth::is_guessable;
pub use stoa_kernel::guest_claiming::GuestClaiming;
pub use stoa_kernel::personal_data::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};

pub(crate) use anonymize::anonymize_locked;
pub(crate) use create::{insert_customer, insert_customer_of};
pub use credentials::{CheckedCustomer, Credentials, new_password};
pub(crate) use sessions::end_access;

use stoa_kernel::mail::MailAbout;
use stoa_kernel::module::ModuleContext;
use stoa_kernel::retention::Expired;

/// The listeners of this feature, and who reads mails to customers.
pub(crate) fn register(cx: &mut ModuleContext<'_>) {
    cx.mail_readers(MailAbout::Customer, mail_reader::Customers);
    cx.on_transaction::<CustomerAnonymizing>("sessions.end", sessions::EndSessions);
    cx.on_preflight::<CustomerExporting>("sessions.export", sessions::ExportSessions);
    cx.expires(EXPIRED);
}

/// What this feature need not keep for ever.
const EXPIRED: &[Expired] = &[
    Expired { what: "sessions that have ended", delete: queries::PRUNE_ENDED_SESSIONS, before: |_, now| now },
    Expired {
        what: "idle sessions",
        delete: queries::PRUNE_IDLE_SESSIONS,
        before: |config, now| now - TimeDelta::minutes(i64::from(config.accounts.sessions.idle_minutes)),
    },
    Expired { what: "sessions of anonymized users", delete: queries::PRUNE_ANONYMIZED_SESSIONS, before: |_, now| now },
];
