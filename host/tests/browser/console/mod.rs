//! Journeys through the operator's console.

mod passkeys;
mod products;
