//! Buying under fire: everybody at once, listeners that fail, and programs that are killed. What was promised holds, and the
//! shop adds up.
//!
//! `STOA_FIRE=full` does more of everything; `STOA_FIRE_MINUTES=60` has machines be lost for an hour.

mod calling;
mod clients;
mod floods;
mod followed;
mod goods;
mod grants;
mod kills;
mod machines;
#[path = "../command_line/place.rs"]
#[expect(dead_code, reason = "shared with the tests of the command line, which use more of it")]
mod place;
#[path = "../webhooks/receiver.rs"]
#[expect(dead_code, reason = "shared with the tests of webhooks, which use more of it")]
mod receiver;
mod shelf;
mod stage;
mod stock;
mod storm;
