//! The operator's console: who is let in, what they see, and what they leave behind.

mod acts;
mod door;
mod factor;
mod guard;
mod imports;
mod orders;
mod people;
mod products;
mod shelf;
