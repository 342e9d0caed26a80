//! Journeys through the operator's console.

mod narrow;
mod passkeys;
mod products;
