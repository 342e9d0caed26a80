#![doc = include_str!("../README.md")]

pub mod check_in;
pub mod codes;
mod commands;
mod config;
mod console;
mod details;
mod facet;
mod keys;
mod listeners;
mod mail_part;
mod model;
mod offers;
mod operating;
mod paper;
mod personal;
mod queries;
mod refusal;
mod reserve;
mod routes;
mod settings;
mod watch;
mod wishes;

use stoa_core::catalog::write::{ProductDeleting, ProductsSaving};
use stoa_core::orders::{OrderCancelled, OrderCancelling, OrderPaid, OrderPlacing, OrderPreflight};
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

pub use config::Config;
pub use model::TicketStatus;
pub use settings::{SharedCapacity, TicketSettings};

/// Sells tickets for events and lets their holders in.
pub struct EventTickets;
stoa_core::module!(EventTickets);
stoa_core::texts!("texts");

impl Module for EventTickets {
    const NAME: &'static str = wishes::MODULE;
    const CAPABILITIES: &'static [&'static str] = &[wishes::CAPABILITY];
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(migrations!(
            sqlite: "migrations/sqlite",
            postgres: "migrations/postgres"
        ));
        cx.withdrawal_right(wishes::CAPABILITY, WithdrawalRight::NoneForADate);
        cx.product_settings::<TicketSettings>();
        cx.storefront_panel(Panel::new(PanelOn::Product, include_str!("../pages/product.html")));
        cx.storefront_panel(Panel::new(PanelOn::Card, include_str!("../pages/card.html")));
        cx.storefront_panel(Panel::new(PanelOn::Line, include_str!("../pages/card.html")));
        cx.storefront_panel(
            Panel::new(PanelOn::Purchases, include_str!("../pages/purchases.html")).path("/event-tickets"),
        );
        cx.product_details(details::TellTickets);
        cx.product_facet(facet::Venue);
        cx.mail_part(mail_part::SayTickets);
        cx.mail_file(mail_part::FILE, mail_part::Papers);
        cx.on_transaction::<ProductsSaving>("event_tickets.apply", watch::ApplySaved);
        cx.on_preflight::<OrderPreflight>("event_tickets.foresee", listeners::Foresee { config: config.clone() });
        cx.on_transaction::<OrderPlacing>("event_tickets.reserve", listeners::Reserve { config: config.clone() });
        cx.on_transaction_even_off::<OrderCancelling>("event_tickets.release", listeners::Release);
        cx.claims_from_guests("event_tickets.claim", &[queries::CLAIM]);
        cx.on_transaction_even_off::<ProductDeleting>("event_tickets.withdraw", offers::Withdraw);
        cx.on_committed::<OrderCancelled>("event_tickets.release_later", listeners::Release);
        cx.on_committed::<OrderPaid>("event_tickets.issue", listeners::Issue);
        cx.on_committed::<RefundRecorded>("event_tickets.void", listeners::Void);
        cx.personal_data(personal::Tickets);
        console::register(cx)?;
        cx.job(watch::ApplySettings);
        for invariant in watch::INVARIANTS {
            cx.invariant(invariant);
        }
        cx.examine(watch::ExamineTickets);
        cx.while_off(WhileOff {
            one: "ticket for an event to come can be neither shown nor checked in",
            many: "tickets for events to come can be neither shown nor checked in",
            count: queries::COUNT_LEFT_ALONE,
        });
        cx.measure(watch::MeasureTickets);
        cx.command::<commands::EventTicketsCommand>(config);
        cx.ability("event-tickets", "event_tickets.read")?;
        cx.routes((), routes::ticket_routes())
    }
}
