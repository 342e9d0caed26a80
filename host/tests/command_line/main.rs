//! The command line as operators use it: the real program in folders of its own (contract 1 and 3).

mod check;
mod configuration;
mod doctor;
mod events;
mod help;
mod jobs;
mod place;
mod serve;
mod token;
mod usage;
mod worker;
