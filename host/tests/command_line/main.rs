//! The command line as operators use it: the real program in folders of its own (contract 1 and 3).

mod backup;
mod check;
mod configuration;
mod customer;
mod customer_data;
mod damage;
mod database_copy;
mod discount;
mod doctor;
mod events;
mod help;
mod http;
mod jobs;
mod key;
mod payment;
mod place;
mod private_files;
mod restore;
mod serve;
mod stock;
mod ticket;
mod token;
mod token_life;
mod usage;
mod worker;
