//! The page `/development/api`.

mod appearance;
mod console;
mod operations;
mod policy;
