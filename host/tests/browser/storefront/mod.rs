//! The storefront of the demo shop.

mod buying;
mod every_page;
mod leaving;
mod shopper;
mod typing;
