//! Journeys through the operator's console.

mod products;
