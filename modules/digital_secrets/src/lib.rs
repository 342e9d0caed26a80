//! Digital secrets: license keys, codes and other values that are delivered from a pool, or generated, once an order is paid.
//!
//! [`DigitalSecrets`] names everything that the module has. A value goes from `vault` (sealed) through `placing` (set aside),
//! `granting` (delivered) and `withdrawing` (given back, or revoked); `pools` says why no two buyers ever get the same one.

mod availability;
mod commands;
mod config;
mod console;
mod details;
mod filling;
mod granting;
mod hint;
mod jobs;
mod mail_part;
mod model;
mod oversight;
mod pattern;
mod personal;
mod placing;
mod pools;
mod queries;
mod reading;
mod replacing;
mod routes;
mod settings;
mod vault;
mod withdrawing;

use stoa_core::cart::CartShowing;
use stoa_core::catalog::write::ProductsSaving;
use stoa_core::entitlements::DeliveryDue;
use stoa_core::orders::{OrderCancelled, OrderCancelling, OrderCreated, OrderPaid, OrderPlacing, OrderPreflight};
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::availability::{Catalog, MarkLines, TellAvailability};
use crate::commands::DigitalSecretsCommand;
pub use crate::config::Config;
use crate::details::TellDelivery;
use crate::granting::Grant;
use crate::jobs::{ForgetReveals, Reencrypt};
use crate::mail_part::SaySecrets;
use crate::oversight::{Examination, Gauges, INVARIANTS};
use crate::personal::Secrets;
use crate::placing::{CheckPools, Reserve};
use crate::routes::secret_routes;
use crate::settings::{CAPABILITY, MODULE, SecretSettings};
use crate::withdrawing::{Release, Revoke};

/// The module.
pub struct DigitalSecrets;
stoa_core::module!(DigitalSecrets);
stoa_core::texts!("texts");

impl Module for DigitalSecrets {
    const NAME: &'static str = MODULE;
    const CAPABILITIES: &'static [&'static str] = &[CAPABILITY];
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        let (backorder, low_water) = (config.backorder, config.low_water);
        cx.migrations(migrations!(
            sqlite: "migrations/sqlite",
            postgres: "migrations/postgres",
        ));
        cx.product_settings::<SecretSettings>();
        cx.storefront_panel(Panel::new(PanelOn::Product, include_str!("../pages/product.html")));
        cx.storefront_panel(
            Panel::new(PanelOn::Purchases, include_str!("../pages/purchases.html")).path("/digital-secrets"),
        );
        cx.product_details(TellDelivery { backorder });
        cx.mail_part(SaySecrets);
        cx.on_preflight::<OrderPreflight>("digital_secrets.check", CheckPools { backorder });
        cx.on_transaction::<OrderPlacing>("digital_secrets.reserve", Reserve { backorder });
        cx.on_transaction_even_off::<OrderCancelling>("digital_secrets.release", Release);
        cx.claims_from_guests("digital_secrets.claim", &[queries::CLAIM]);
        cx.on_committed::<OrderCancelled>("digital_secrets.release_later", Release);
        cx.on_committed::<OrderPaid>("digital_secrets.grant", Grant { backorder });
        cx.withdrawal_right(CAPABILITY, WithdrawalRight::EndsWithDelivery);
        cx.on_committed::<DeliveryDue>("digital_secrets.grant_held", Grant { backorder });
        cx.on_committed::<RefundRecorded>("digital_secrets.revoke", Revoke { backorder });
        cx.on_preflight::<CartShowing>("digital_secrets.mark_lines", MarkLines(config.clone()));
        cx.on_transaction::<ProductsSaving>("digital_secrets.tell_saved", Catalog(config.clone()));
        cx.on_committed::<OrderCreated>("digital_secrets.tell_sold", Catalog(config.clone()));
        cx.on_committed::<OrderCancelled>("digital_secrets.tell_cancelled", Catalog(config.clone()));
        cx.personal_data(Secrets);
        cx.job(ForgetReveals::new(&config));
        cx.job(Reencrypt);
        cx.job(TellAvailability(config.clone()));
        for invariant in INVARIANTS {
            cx.invariant(*invariant);
        }
        cx.examine(Examination { low_water });
        cx.while_off(WhileOff {
            one: "value that was bought can be neither delivered nor looked at",
            many: "values that were bought can be neither delivered nor looked at",
            count: queries::COUNT_LEFT_ALONE,
        });
        cx.measure(Gauges { low_water });
        console::register(cx, &config)?;
        cx.command::<DigitalSecretsCommand>(config);
        cx.ability("digital-secrets", "digital_secrets.read")?;
        cx.routes((), secret_routes())
    }
}
