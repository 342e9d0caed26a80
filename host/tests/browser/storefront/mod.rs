//! The storefront of the demo shop.

pub(crate) mod buying;
mod changing;
pub(crate) mod every_page;
mod filtering;
mod following;
mod keyboard;
pub(crate) mod leaving;
pub(crate) mod shopper;
mod speed;
mod typing;
