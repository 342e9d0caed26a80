//! The module in a whole shop with a storefront and a console, on both databases.

mod operator;
mod redeeming;
mod rules;
mod shelf;
