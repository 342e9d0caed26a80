//! The module in a whole shop with a storefront and a console, on both databases.

mod http;
mod pages;
mod rules;
mod shelf;
