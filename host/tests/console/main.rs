//! The operator's console: who is let in, what they see, and what they leave behind.

mod acts;
mod door;
mod guard;
mod orders;
mod people;
mod security;
mod shelf;
