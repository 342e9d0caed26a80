//! The shop server Stoa as modules see it: all that a module uses of the shop, and the kit for its tests.
//!
//! The [guide for authors](https://github.com/stoa-shop/stoa/blob/main/core/README.md) says what a module can and cannot do, and has a page
//! for each task. Its examples are compiled with this crate. A shop that shows its documentation has the guide at `/docs/modules/guide`.
//!
//! # What modules open
//!
//! A route of a module is for customers with the ability that its prefix is mapped to. Only what everybody may read is added with
//! `cx.public_routes`.
//!
//! ```
//! use stoa_core::prelude::*;
//!
//! async fn list(_customer: Customer) -> ApiResult<Data<Vec<String>>> {
//!     Ok(Data(Vec::new()))
//! }
//!
//! let teas: Routes<()> = routes().get("teas.index", "/teas", list).summary("List teas");
//! ```
//!
//! How core opens its own to everybody, or puts them at the root of the shop, is not shown here:
//!
//! ```compile_fail,E0599
//! # use stoa_core::prelude::*;
//! # async fn list(_customer: Customer) -> ApiResult<Data<Vec<String>>> {
//! #     Ok(Data(Vec::new()))
//! # }
//! let teas: Routes<()> = routes().get("teas.index", "/teas", list).public(stoa_core::auth::LimitClass::Catalog);
//! ```
//!
//! ```compile_fail,E0432
//! use stoa_core::core_routes::CoreRoutes;
//! ```

#[cfg(doctest)]
mod guide;

pub use stoa_catalog as catalog;
pub use stoa_customers::{addresses, customers, notes, support_tickets, tokens};
pub use stoa_documents::{electronic, pdf};
pub use stoa_kernel::{
    __private, PageSql, auth, clock, commands, config, db, doctor, encryption, error_chain, events, from_shop,
    gateways, http, i18n, invariant, jobs, mail_texts, metrics, migrations, module, money, outbound, prelude, queue,
    random, record_number, secret, shop_currency, sorted_sql, sql, storage, suggestion, telemetry, text, texts,
};
pub use stoa_notices::webhooks;
pub use stoa_pages as pages;
pub use stoa_selling::{
    buyers, cart, checkout, credit_notes, discounts, entitlements, invoices, orders, payments, pricing, refunds,
    reports, withdrawals,
};
#[cfg(feature = "testing")]
pub use stoa_shop::testing;
pub use stoa_shop::{conformance, program, verification};

/// Crates that authors meet in the signatures of this one, in the versions that it is built with.
pub use {chrono, clap, reqwest, schemars, serde, serde_json, sqlx, tracing};

pub mod console {
    //! Pages and boxes of modules in the operator's console: lists with filters and acts, forms made from rule tables, facts on the
    //! pages of orders, products and customers.

    pub use stoa_kernel::console::{
        Cell, ConsoleAnswer, ConsoleForm, ConsolePage, ConsolePanel, Direction, FormFile, FormStart, FormValues, List,
        ListQuery, MOMENT_HINT, MOST_COUNTED, Menu, On, Refused, RowAct, RowCount, RowsWanted, Sort, SortBy, SortPart,
        SortValue, Told, UploadedFile, file_form, form, moment, page,
    };
}

pub mod mail {
    //! Outgoing mail: written down by features and modules, sent by the operator's mail server.

    pub use stoa_kernel::mail::*;
    pub use stoa_notices::mail::*;
}
