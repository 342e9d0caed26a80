//! The kit for commands of modules (`stoa <module> …`): how they are registered, print, and fail.

mod command;
mod failure;
mod layout;
mod output;
mod printable;
mod progress;
mod prose;
mod table;

pub use command::{Bench, CommandContext, ModuleCommand, ModuleTool};
pub use failure::Failure;
pub use output::{Output, Tone, shown_time};
pub use printable::printable;
pub use progress::Progress;
pub use table::{CommandTable, RegisteredCommand};
