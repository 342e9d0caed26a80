//! Withdrawing from an order (C10.1), and digital goods that end the right to (C10.2).

mod accepting;
mod by_mail;
mod declaring;
mod digital;
mod excluded;
mod held;
mod linked;
mod oversight;
mod races;
mod shelf;
