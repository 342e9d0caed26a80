//! The storefront of the demo shop.

mod buying;
mod every_page;
mod leaving;
pub(crate) mod shopper;
mod typing;
