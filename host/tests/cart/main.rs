//! The cart (S4.1, S8, contract 2.1).

mod access;
mod adding;
mod amounts;
mod catalog;
mod changing;
mod document;
mod erasing;
mod moving;
mod options;
mod own;
mod placing;
mod races;
mod shelf;
mod statements;
mod tokens;
