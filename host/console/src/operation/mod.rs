//! Pages for whoever runs the shop: what waits and what has failed, the modules, the configuration, and whether all is well.

mod events;
mod health;
mod jobs;
mod mails;
mod modules;
mod settings;
mod webhooks;

pub(crate) use health::{Examined, LateProblems};
use stoa_core::webhooks::Sender;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(mut routes: Routes<ConsoleState>, sender: &Sender) -> Routes<ConsoleState> {
    let forms = events::forms().into_iter().chain(jobs::forms()).chain(mails::forms()).chain(webhooks::forms(sender));
    for form in forms {
        routes = routes.and(form);
    }
    routes
        .get("console.webhooks", "/webhooks", webhooks::endpoints)
        .console(Some("webhooks.view"))
        .get("console.webhooks.deliveries", "/webhooks/deliveries", webhooks::deliveries)
        .console(Some("webhooks.view"))
        .get("console.webhooks.delivery", "/webhooks/deliveries/{delivery}", webhooks::delivery::one)
        .console(Some("webhooks.view"))
        .get("console.jobs", "/jobs", jobs::show)
        .console(Some("jobs.view"))
        .get("console.events", "/events", events::show)
        .console(Some("events.view"))
        .get("console.mails", "/mails", mails::show)
        .console(Some("mails.view"))
        .get("console.mails.one", "/mails/{id}", mails::one)
        .console(Some("mails.view"))
        .get("console.mails.templates", "/mails/templates", mails::templates)
        .console(Some("mails.view"))
        .get("console.modules", "/modules", modules::show)
        .console(Some("modules.view"))
        .get("console.settings", "/settings", settings::show)
        .console(Some("settings.view"))
        .get("console.health", "/health", health::show)
        .console(Some("health.view"))
}
