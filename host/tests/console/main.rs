//! The operator's console: who is let in, what they see, and what they leave behind.

mod acts;
mod customers;
mod door;
mod factor;
mod guard;
mod orders;
mod people;
mod shelf;
mod support;
