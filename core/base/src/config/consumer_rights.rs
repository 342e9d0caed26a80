//! What the law gives consumers where the shop sells (C10).

use serde::Deserialize;

/// Whose law on distance selling the shop follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsumerRights {
    /// None in particular.
    #[default]
    None,
    /// That of the European Union: whoever has bought may withdraw within 14 days.
    Eu,
}

/// What becomes of digital goods that a buyer does not want at the price of the right to withdraw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DigitalWithoutWaiver {
    /// They are not sold.
    #[default]
    Refuse,
    /// They are delivered when the period is over.
    Later,
}
