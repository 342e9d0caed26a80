//! The gateways that core brings along, each against a fake of its provider.

mod development;
mod manual;
mod mollie;
mod paypal;
mod requests;
mod stripe;
