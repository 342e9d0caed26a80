//! Subscriptions: products that are billed again for each period (contract 2.5).
//!
//! A unit that is bought becomes a subscription, whose renewals are orders like every other. `lifecycle` is the one place
//! where a subscription changes, `renewing` decides what the clock does to it, `mails` tells the customer, and `calendar` knows
//! when periods begin.

mod calendar;
mod cancelling;
mod charging;
mod commands;
mod config;
mod console;
mod details;
mod lifecycle;
mod mail_part;
mod mails;
mod model;
mod number;
mod paying;
mod personal;
mod placing;
mod plan;
mod queries;
mod refunding;
mod renewing;
mod resource;
mod routes;
mod tasks;
mod watching;
mod withdrawing;

use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::entitlements::EntitlementEnded;
use stoa_core::orders::{OrderCancelled, OrderCancelling, OrderPaid, OrderPlacing, OrderPreflight};
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::commands::SubscriptionsCommand;
pub use crate::config::{Config, LatePayment};
use crate::details::TellPlan;
use crate::mail_part::SaySubscriptions;
use crate::paying::Proceed;
use crate::personal::{EndOfCustomer, ExportSubscriptions};
use crate::placing::{CheckPlans, Forgo, Subscribe};
use crate::plan::{Plan, TrialPrice};
use crate::refunding::EndRefunded;
use crate::routes::{change_routes, subscription_routes};
use crate::tasks::{Renew, RenewSubscription, SUBSCRIPTIONS};
use crate::watching::{ExamineSubscriptions, INVARIANTS, MeasureSubscriptions};
use crate::withdrawing::{CancelRenewal, CancelWithdrawn};

/// The module's name, under which settings of products are kept.
const MODULE: &str = "subscriptions";

/// The capability of products that are subscribed to (contract 4).
const CAPABILITY: &str = "subscribable";

/// The module.
pub struct Subscriptions;
stoa_core::module!(Subscriptions);
stoa_core::texts!("texts");

impl Module for Subscriptions {
    const NAME: &'static str = MODULE;
    const CAPABILITIES: &'static [&'static str] = &[CAPABILITY];
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(migrations!(
            sqlite: "migrations/sqlite",
            postgres: "migrations/postgres",
        ));
        for template in mails::ALL {
            cx.mail_template(template);
        }
        cx.product_settings::<Plan>();
        cx.storefront_panel(Panel::new(PanelOn::Product, include_str!("../pages/product.html")));
        cx.storefront_panel(Panel::new(PanelOn::Card, include_str!("../pages/card.html")));
        cx.storefront_panel(Panel::new(PanelOn::Line, include_str!("../pages/card.html")));
        cx.storefront_panel(
            Panel::new(PanelOn::Purchases, include_str!("../pages/purchases.html")).path("/subscriptions"),
        );
        cx.product_details(TellPlan);
        cx.mail_part(SaySubscriptions);
        cx.unit_price(TrialPrice);
        cx.on_preflight::<OrderPreflight>("subscriptions.check_plans", CheckPlans);
        cx.on_transaction::<OrderPlacing>("subscriptions.subscribe", Subscribe);
        cx.on_transaction_even_off::<OrderCancelling>("subscriptions.forgo", Forgo);
        cx.on_committed::<OrderCancelled>("subscriptions.forgo_later", Forgo);
        cx.on_committed::<OrderPaid>("subscriptions.start", Proceed { config: config.clone() });
        cx.on_committed::<RefundRecorded>("subscriptions.end_refunded", EndRefunded { config: config.clone() });
        cx.on_committed::<EntitlementEnded>("subscriptions.end_unpaid", EndRefunded { config: config.clone() });
        cx.claims_from_guests("subscriptions.claim", &[queries::CLAIM]);
        cx.on_transaction::<CustomerAnonymizing>("subscriptions.end", EndOfCustomer);
        cx.on_committed::<CustomerAnonymized>("subscriptions.end_later", EndOfCustomer);
        cx.on_preflight::<CustomerExporting>("subscriptions.export", ExportSubscriptions);
        cx.task::<RenewSubscription>(Renew { config: config.clone() });
        cx.task::<CancelRenewal>(CancelWithdrawn);
        cx.works_off("subscriptions.renew", "bills, charges and ends subscriptions", &[SUBSCRIPTIONS]);
        console::register(cx, &config)?;
        cx.command::<SubscriptionsCommand>(config.clone());
        for invariant in INVARIANTS {
            cx.invariant(invariant);
        }
        cx.examine(ExamineSubscriptions);
        cx.while_off(WhileOff {
            one: "subscription is neither renewed nor ended",
            many: "subscriptions are neither renewed nor ended",
            count: queries::COUNT_LEFT_ALONE,
        });
        cx.measure(MeasureSubscriptions);
        cx.ability("subscriptions", "subscriptions.read")?;
        cx.ability("subscription-changes", "orders.create")?;
        cx.routes(config.clone(), subscription_routes())?;
        cx.routes(config, change_routes())
    }
}
