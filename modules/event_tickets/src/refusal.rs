//! Why tickets cannot be bought, as customers are told.

use stoa_core::prelude::*;

/// Why tickets cannot be bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The event is over.
    EventOver,
    /// The sale has not begun, has ended, or there is no event at all.
    NotOnSale,
    /// Fewer are left than were asked for.
    SoldOut {
        /// How many are.
        left: i64,
    },
    /// Fewer places are left than several products were asked for that share them.
    TooFewTogether {
        /// How many are.
        left: i64,
    },
    /// Somebody has the seat, or it was asked for twice.
    SeatTaken,
    /// The shop does not sell as many to one order.
    TooMany(u32),
}

impl Refusal {
    /// The stable code beside `invalid_state`.
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::EventOver => "event_over",
            Self::NotOnSale => "not_on_sale",
            Self::SoldOut { .. } | Self::TooFewTogether { .. } => "sold_out",
            Self::SeatTaken => "seat_taken",
            Self::TooMany(_) => "too_many_tickets",
        }
    }

    /// The refusal of a line whose product has this name.
    pub(crate) fn veto(self, label: &str) -> Veto {
        // Names come from the operator; a message stays one that can be read.
        let label = label.chars().filter(|character| !character.is_control()).take(100).collect::<String>();
        let message = match self {
            Self::EventOver => text!("event-tickets-event-over", label = label),
            Self::NotOnSale => text!("event-tickets-not-on-sale", label = label),
            Self::SoldOut { left } => text!("event-tickets-sold-out", left = left.max(0), label = label),
            Self::TooFewTogether { left } => text!("event-tickets-too-few-together", left = left.max(0)),
            Self::SeatTaken => text!("event-tickets-seat-taken", label = label),
            Self::TooMany(most) => text!("event-tickets-too-many", most = most, label = label),
        };
        Veto { field: String::from("cart"), message, reason: Some(self.reason()) }
    }
}
