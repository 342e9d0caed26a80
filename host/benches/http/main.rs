//! Requests per second, latency, start and memory of the release binary, beside a bare axum server.
//!
//! `cargo bench -p stoa-commerce --bench http -- --help` lists what can be asked for; the README beside this
//! folder says what is measured and why it is fair.

mod account;
mod bare;
mod buying;
mod console;
mod crowd;
mod customers;
mod endpoints;
mod first_pages;
#[path = "../fixture/mod.rs"]
mod fixture;
mod full_load;
mod journey;
mod latency;
mod lives;
mod loading;
mod login_flood;
mod memory;
mod modules;
mod options;
mod order_history;
mod pages;
mod partners;
mod process;
mod purchases;
mod report;
mod shop;
mod startup;
mod steady_rate;
mod throughput;
mod wire;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;

use crate::options::{Options, Scenario};
use crate::process::Cores;
use crate::report::Report;
use crate::shop::Shop;

/// What any step of the benchmark may fail with; it ends the run.
type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(folder) = &options.bare {
        return exit_code(bare::serve(folder));
    }
    if !options.bench {
        println!("left out: `cargo bench -p stoa-commerce --bench http` runs it");
        return ExitCode::SUCCESS;
    }
    exit_code(measure(&options))
}

fn exit_code(outcome: Outcome<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("http bench: {}", stoa_core::error_chain(&*error));
            ExitCode::FAILURE
        }
    }
}

fn measure(options: &Options) -> Outcome<()> {
    let cores = Cores::pin_this_process();
    let mut report = Report::new(&cores);
    if let Some(file) = &options.journey {
        journey::measure(file, options, &mut report)?;
        report.print();
        return Ok(());
    }
    let mut shops = Vec::new();
    for &products in options.products.iter().filter(|_| options.wants_catalog()) {
        let shop = Shop::prepare(products, options, &cores)?;
        if options.wants(Scenario::Import) {
            loading::report(&shop, &mut report);
        }
        shops.push(shop);
    }
    if options.wants(Scenario::Start) {
        startup::measure(&shops, &cores, &mut report)?;
    }
    if options.wants(Scenario::FirstPages) {
        first_pages::measure(&shops, &cores, &mut report)?;
    }
    throughput::measure(&shops, options, &cores, &mut report)?;
    if let Some(smallest) = shops.iter().min_by_key(|shop| shop.catalog.slugs.len())
        && options.wants(Scenario::Pages)
    {
        pages::measure(smallest, options, &cores, &mut report)?;
    }
    if let Some(largest) = shops.iter().max_by_key(|shop| shop.catalog.slugs.len()) {
        latency::measure(largest, options, &cores, &mut report)?;
    }
    if options.wants(Scenario::Account) {
        account::measure(options, &cores, &mut report)?;
    }
    if options.wants(Scenario::Buying) {
        buying::measure(options, &cores, &mut report)?;
    }
    if options.wants(Scenario::Modules) {
        modules::measure(options, &cores, &mut report)?;
    }
    if options.wants(Scenario::Lives) {
        lives::measure(options, &cores, &mut report)?;
    }
    if options.wants(Scenario::Endpoints) {
        endpoints::measure(options, &cores, &mut report)?;
    }
    if options.wants(Scenario::OrderHistory) {
        order_history::measure(options, &cores, &mut report)?;
    }
    if options.wants(Scenario::Console) {
        console::measure(options, &cores, &mut report)?;
    }
    if let Some(smallest) = shops.iter().min_by_key(|shop| shop.catalog.slugs.len())
        && options.wants(Scenario::LoginFlood)
    {
        login_flood::measure(smallest, options, &cores, &mut report)?;
    }
    if options.wants(Scenario::Memory) {
        memory::measure(&shops, options, &cores, &mut report)?;
    }
    report.print();
    Ok(())
}
