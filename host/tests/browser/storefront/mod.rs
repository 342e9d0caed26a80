//! The storefront of the demo shop.

mod buying;
mod every_page;
mod filtering;
mod following;
mod keyboard;
mod leaving;
pub(crate) mod shopper;
mod speed;
mod typing;
