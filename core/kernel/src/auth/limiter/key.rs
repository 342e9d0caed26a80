//! What is counted: a class of requests, of somebody.

use std::net::IpAddr;

/// The classes of limits, each with its own counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitClass {
    /// Public catalog requests, per address.
    Catalog,
    /// Ordinary protected requests, per user or address.
    Protected,
    /// Checkout, payment initiation and download files.
    Checkout,
    /// Token creation, per address and e-mail.
    TokenCreation,
    /// Failed credential attempts, per e-mail.
    FailedLogins,
    /// Callbacks of payment providers that are not verified, per address.
    Callbacks,
    /// Registrations with an e-mail that somebody has, per address.
    TakenEmails,
    /// Guests who begin to buy, per address and per e-mail.
    Guests,
    /// Questions to VIES about VAT identification numbers, per address.
    VatIds,
    /// Messages about an account that somebody asks for, per address and e-mail, and per e-mail.
    AccountMail,
}

impl LimitClass {
    /// Its name, which is that of its setting where it has one.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Catalog => "catalog",
            Self::Protected => "protected",
            Self::Checkout => "checkout",
            Self::TokenCreation => "token_creation",
            Self::FailedLogins => "failed_logins",
            Self::Callbacks => "callbacks",
            Self::TakenEmails => "taken_emails",
            Self::Guests => "guests",
            Self::VatIds => "vat_ids",
            Self::AccountMail => "account_mail",
        }
    }
}

/// Whose requests of a class are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Address(LimitClass, IpAddr),
    User(LimitClass, i64),
    AddressAndEmail(LimitClass, IpAddr, String),
    Email(LimitClass, String),
}

impl Key {
    pub(super) fn class(&self) -> LimitClass {
        match self {
            Self::Address(class, _)
            | Self::User(class, _)
            | Self::AddressAndEmail(class, ..)
            | Self::Email(class, _) => *class,
        }
    }

    /// Feeds whose requests these are to `take`; no two keys of a class give the same bytes.
    pub(super) fn feed(&self, mut take: impl FnMut(&[u8])) {
        match self {
            Self::Address(_, address) => {
                take(b"address ");
                feed_address(*address, take);
            }
            Self::User(_, id) => {
                take(b"user ");
                take(&id.to_be_bytes());
            }
            Self::AddressAndEmail(_, address, email) => {
                take(b"both ");
                feed_address(*address, &mut take);
                take(email.as_bytes());
            }
            Self::Email(_, email) => {
                take(b"email ");
                take(email.as_bytes());
            }
        }
    }
}

/// Four or sixteen bytes behind what tells which, so that an e-mail may follow.
fn feed_address(address: IpAddr, mut take: impl FnMut(&[u8])) {
    match address {
        IpAddr::V4(address) => {
            take(b"4");
            take(&address.octets());
        }
        IpAddr::V6(address) => {
            take(b"6");
            take(&address.octets());
        }
    }
}
