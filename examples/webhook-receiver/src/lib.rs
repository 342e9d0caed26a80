#![doc = include_str!("../README.md")]

mod inbox;
mod receive;

pub use inbox::{Inbox, Stored};
pub use receive::{Receiver, router};
