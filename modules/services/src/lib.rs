//! Services that are provisioned: hosting, accounts and whatever else somebody has to set up once it is paid, and to take
//! down when it is refunded.
//!
//! Each unit that is sold is a service of its own with a key of its own. A provider makes it: a person, an endpoint of the
//! operator's (`http`), or an adapter that another crate brings by implementing [`ServiceProvider`] and linking it with
//! [`provider!`]. Nothing is shown as active before its provider has said so.

mod capacity;
mod commands;
mod config;
mod console;
mod details;
mod doctor;
mod ending;
mod events;
mod jobs;
mod lifecycle;
mod mail_part;
mod measurement;
mod model;
mod operating;
mod personal;
mod plan;
mod provider;
mod queries;
mod routes;
mod store;
mod verification;
mod worker;

use stoa_core::customers::CustomerAnonymized;
use stoa_core::entitlements::{EntitlementEnded, EntitlementResumed, EntitlementSuspended};
use stoa_core::orders::{OrderCancelled, OrderCancelling, OrderPaid, OrderPlacing, OrderPreflight};
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::capacity::{CheckCapacity, ReleaseCapacity, ReserveCapacity};
use crate::commands::{CommandState, ServicesCommand};
pub use crate::config::{Config, HttpConfig, PlanConfig};
use crate::details::TellPlan;
use crate::doctor::ExamineServices;
use crate::ending::{TERMINATING, TellEnding};
use crate::events::{FollowUnits, PlanServices};
use crate::jobs::{AskCapacity, Compare};
use crate::mail_part::SayServices;
use crate::measurement::MeasureServices;
use crate::model::{CAPABILITY, ServiceSettings};
use crate::personal::{EndServices, Services};
use crate::provider::Providers;
pub use crate::provider::{
    Credentials, ProviderAnswer, ProviderContext, ProviderEntry, ProviderError, RemoteState, Report, ServiceProvider,
    ServiceRequest,
};
use crate::routes::service_routes;
use crate::worker::{SERVICES, WorkOnService, Worker};

/// The module. It has no value: everything it brings goes into the tables behind `cx`.
pub struct Provisioning;
stoa_core::module!(Provisioning);
stoa_core::texts!("texts");

impl Module for Provisioning {
    const NAME: &'static str = "services";
    const CAPABILITIES: &'static [&'static str] = &[CAPABILITY];
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        let providers = Providers::configure(&config)?;
        let worker = Worker::new(&config, &providers);
        let follow = || FollowUnits { providers: providers.clone(), grace: config.grace() };
        cx.migrations(migrations!(
            sqlite: "migrations/sqlite",
            postgres: "migrations/postgres",
        ));
        cx.product_settings::<ServiceSettings>();
        cx.storefront_panel(Panel::new(PanelOn::Product, include_str!("../pages/product.html")));
        cx.storefront_panel(Panel::new(PanelOn::Purchases, include_str!("../pages/purchases.html")).path("/services"));
        cx.product_details(TellPlan);
        cx.mail_part(SayServices);
        cx.mail_template(TERMINATING);

        let check = CheckCapacity { config: config.clone(), providers: providers.clone() };
        let reserve = ReserveCapacity { config: config.clone(), providers: providers.clone() };
        cx.on_preflight::<OrderPreflight>("services.check_capacity", check);
        cx.on_transaction::<OrderPlacing>("services.reserve", reserve);
        cx.on_transaction_even_off::<OrderCancelling>("services.release", ReleaseCapacity);
        cx.claims_from_guests("services.claim", &[queries::CLAIM]);
        cx.on_committed::<OrderCancelled>("services.release_later", ReleaseCapacity);
        cx.on_committed::<OrderPaid>("services.plan", PlanServices { providers: providers.clone() });
        cx.on_committed::<RefundRecorded>("services.end_refunded", follow());
        cx.on_committed::<EntitlementSuspended>("services.suspend", follow());
        cx.on_committed::<EntitlementResumed>("services.resume", follow());
        cx.on_committed::<EntitlementEnded>("services.end", follow());

        cx.personal_data(Services);
        let end = EndServices { providers: providers.clone(), grace: config.grace() };
        cx.on_committed::<CustomerAnonymized>("services.end_anonymized", end);

        cx.task::<WorkOnService>(worker.clone());
        cx.works_off("services.provision", "makes, suspends, resumes and terminates services", &[SERVICES]);
        cx.job(Compare(worker.clone()));
        cx.job(AskCapacity(worker.clone()));
        cx.job(TellEnding { notice: config.terminate_notice() });
        console::register(cx, &providers)?;
        cx.command::<ServicesCommand>(CommandState { worker });
        for invariant in verification::INVARIANTS {
            cx.invariant(*invariant);
        }
        cx.examine(ExamineServices { config: config.clone(), providers });
        cx.while_off(WhileOff {
            one: "service is neither provided nor ended",
            many: "services are neither provided nor ended",
            count: queries::COUNT_LEFT_ALONE,
        });
        cx.measure(MeasureServices { config });
        cx.ability("services", "services.read")?;
        cx.routes((), service_routes())
    }
}

/// Links an adapter to a provider: everything whose services a product's settings may name needs one.
///
/// ```
/// use stoa_core::prelude::*;
/// use stoa_services::{ProviderAnswer, ProviderContext, ProviderError, RemoteState, Report, ServiceProvider, ServiceRequest};
///
/// /// Makes nothing, at once.
/// struct Air;
/// stoa_services::provider!(Air);
///
/// impl ServiceProvider for Air {
///     const NAME: &'static str = "air";
///     type Config = serde_json::Value;
///
///     fn configure(_: serde_json::Value) -> Result<Self, String> {
///         Ok(Self)
///     }
///
///     async fn create(&self, service: &ServiceRequest, _: &ProviderContext) -> ProviderAnswer {
///         Ok(Report { external_ref: Some(format!("air-{}", service.key)), ..Report::of(RemoteState::Active) })
///     }
///
///     async fn inspect(&self, _: &ServiceRequest, _: &ProviderContext) -> ProviderAnswer {
///         Ok(Report::of(RemoteState::Active))
///     }
///
///     async fn suspend(&self, _: &ServiceRequest, _: &ProviderContext) -> ProviderAnswer {
///         Err(ProviderError::Refused(String::from("nobody can be kept from air")))
///     }
///
///     async fn resume(&self, _: &ServiceRequest, _: &ProviderContext) -> ProviderAnswer {
///         Ok(Report::of(RemoteState::Active))
///     }
///
///     async fn terminate(&self, _: &ServiceRequest, _: &ProviderContext) -> ProviderAnswer {
///         Ok(Report::of(RemoteState::Terminated))
///     }
/// }
/// ```
#[macro_export]
macro_rules! provider {
    ($provider:ty) => {
        $crate::__private::inventory::submit! { $crate::ProviderEntry::of::<$provider>() }
    };
}

#[doc(hidden)]
pub mod __private {
    pub use inventory;
}
