//! `GET /me` with an access token that is read from the database each time, on both databases.

use std::sync::Arc;

use stoa_core::db::Backend;

use crate::Outcome;
use crate::bare::{Bare, Bodies};
use crate::customers::{CustomerShop, name_of};
use crate::full_load;
use crate::options::Options;
use crate::process::Cores;
use crate::report::{Report, Row};
use crate::throughput::{median, ratio};
use crate::wire::{Client, get, get_with};

const PATH: &str = "/api/v1/me";

/// Least share of the bare server's rate, on SQLite.
const SHARE: f64 = 0.25;

/// Measures both databases beside a bare server with a body of the same size.
pub(crate) fn measure(options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let name = name_of(backend);
        eprintln!("full load: account on {name}");
        let account = CustomerShop::prepare("account", backend, 1, "", options, cores)?;
        let (stoa, address) = account.serve(cores)?;
        let request = get_with(PATH, &[("authorization", &format!("Bearer {}", account.tokens[0]))]);
        let body = Client::connect(address)?.send(&request)?.1.to_vec();
        let bodies = Bodies { list: body.clone(), page: body.clone(), product: body.clone() };
        let bare = Bare::start(account.bare_folder(), &bodies, cores)?;
        let requests: [Arc<[Box<[u8]>]>; 2] = [Arc::new([request]), Arc::new([get(crate::shop::LIST)])];
        let mut rounds = Vec::new();
        for round in 0..=options.rounds {
            let run = |address, process, requests| {
                full_load::run(address, process, requests, options.connections, options.duration())
            };
            let pair = (run(address, &stoa, &requests[0])?, run(bare.address, &bare.process, &requests[1])?);
            if round > 0 {
                rounds.push(pair);
            }
        }
        let share = median(rounds.iter().map(|(stoa, bare)| stoa.rate / bare.rate));
        let [stoa_rate, bare_rate] =
            [median(rounds.iter().map(|(stoa, _)| stoa.rate)), median(rounds.iter().map(|(_, bare)| bare.rate))];
        let text = format!("{}: {stoa_rate:.0}/s, bare {bare_rate:.0}/s, body of {} bytes", ratio(share), body.len());
        let row = Row::without_products(format!("`/me` with a token, {name}")).measured(text);
        report.add(match backend {
            Backend::Sqlite => row.target("≥ 25 % of bare axum", share >= SHARE),
            Backend::Postgres => row,
        });
        report.note(format!(
            "full load `account`, {name}: {:.1} µs of processor time for a request of the server alone",
            median(rounds.iter().map(|(stoa, _)| stoa.cost)),
        ));
    }
    Ok(())
}
