//! The operator's console: who is let in, what they see, and what they leave behind.

mod door;
mod guard;
mod orders;
mod people;
mod shelf;
