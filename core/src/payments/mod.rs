//! Payments: the gateways that core brings along.

mod adapters;

pub(crate) use adapters::register_gateways;
