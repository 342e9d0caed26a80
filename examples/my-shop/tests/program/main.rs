//! The program as an operator runs it.

mod commands;
mod installation;
mod serving;
