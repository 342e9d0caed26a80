//! What must hold of services at any time (`stoa verify`).

mod queries;

use stoa_core::prelude::*;

/// The module's invariants.
pub(crate) const INVARIANTS: &[Invariant] = &[
    Invariant::new(
        "services_units",
        "a service is one unit of an item that was sold to its customer, in an order that is paid",
        queries::UNITS,
    ),
    Invariant::new(
        "services_granted",
        "every paid unit of a service is there once its payment was told",
        queries::GRANTED,
    ),
    Invariant::new(
        "services_refunded",
        "no more services are over by refunds than units were refunded",
        queries::REFUNDED,
    ),
    Invariant::new(
        "services_states",
        "a service is active or suspended only as its provider has confirmed, and goes on unless it rests",
        queries::STATES,
    ),
    Invariant::new(
        "services_capacity",
        "the room that plans have given is what orders have reserved and services take up",
        queries::CAPACITY,
    ),
    Invariant::new(
        "services_reservations",
        "only orders that wait for payment keep room reserved",
        queries::RESERVATIONS,
    ),
];
