//! Journeys through the operator's console.

mod narrow;
mod orders;
mod passkeys;
mod products;
