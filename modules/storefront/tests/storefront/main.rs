//! The storefront in a whole shop, on both databases, by the forms that its pages have.

mod account;
mod buying;
mod kit;
mod lines;
mod looking;
mod module_pages;
mod order;
mod sitemap;
mod support;
mod switching;
mod withdrawing;
