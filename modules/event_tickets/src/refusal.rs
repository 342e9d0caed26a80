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
    SoldOut,
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
            Self::SoldOut => "sold_out",
            Self::SeatTaken => "seat_taken",
            Self::TooMany(_) => "too_many_tickets",
        }
    }

    /// The refusal of a line whose product has this name.
    pub(crate) fn veto(self, label: &str) -> Veto {
        // Names come from the operator; a message stays one that can be read.
        let label = label.chars().filter(|character| !character.is_control()).take(100).collect::<String>();
        let message = match self {
            Self::EventOver => Message::custom(
                format!("The event of “{label}” is over."),
                format!("Die Veranstaltung zu „{label}“ ist vorbei."),
                format!("Het evenement van “{label}” is voorbij."),
            ),
            Self::NotOnSale => Message::custom(
                format!("“{label}” is not on sale now."),
                format!("„{label}“ ist zurzeit nicht im Verkauf."),
                format!("“{label}” is nu niet te koop."),
            ),
            Self::SoldOut => Message::custom(
                format!("There are not enough tickets left of “{label}”."),
                format!("Von „{label}“ sind nicht mehr genug Karten da."),
                format!("Er zijn niet genoeg kaarten meer voor “{label}”."),
            ),
            Self::SeatTaken => Message::custom(
                format!("A seat that you have chosen for “{label}” is taken. Please choose another one."),
                format!(
                    "Ein Platz, den Sie für „{label}“ gewählt haben, ist vergeben. Bitte wählen Sie einen anderen."
                ),
                format!("Een plaats die u voor “{label}” hebt gekozen, is bezet. Kies een andere."),
            ),
            Self::TooMany(most) => Message::custom(
                format!("An order can have at most {most} tickets of “{label}”."),
                format!("Eine Bestellung kann höchstens {most} Karten von „{label}“ haben."),
                format!("Een bestelling kan hoogstens {most} kaarten voor “{label}” hebben."),
            ),
        };
        Veto { field: String::from("cart"), message, reason: Some(self.reason()) }
    }
}
