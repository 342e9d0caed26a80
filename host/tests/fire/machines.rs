//! Instances, poolers and primaries that are lost while customers buy: every order that was acknowledged is there once, and
//! nothing is half done.

use std::fmt;
use std::time::{Duration, Instant};

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use stoa_core::config::Pooler;
use stoa_core::db::{Backend, Missing, OpenOptions};
use stoa_core::testing::{PostgresMachines, TestDatabase, run_machines_test};
use tokio::time::{sleep, timeout};

use crate::kills::{Fire, ORDERS, check};
use crate::place::ShopFolder;
use crate::shelf::{assert_adds_up, length, seed};
use crate::stage::PATIENCE;

/// The poolers before the servers `one` and `two`.
const POOLERS: [&str; 2] = ["pool-one", "pool-two"];

/// What is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    Instance,
    Pooler,
    PrimaryCrashes,
    PrimaryHangs,
}

const LOSSES: [Loss; 4] = [Loss::Instance, Loss::Pooler, Loss::PrimaryCrashes, Loss::PrimaryHangs];

/// How often each was lost, and how long it took at most until somebody could buy again.
#[derive(Default)]
struct Tally([(usize, Duration); LOSSES.len()]);

impl Tally {
    fn count(&mut self, loss: Loss, waited: Duration) {
        let (times, longest) = &mut self.0[loss as usize];
        *times += 1;
        *longest = waited.max(*longest);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (loss, (times, longest)) in LOSSES.iter().zip(&self.0) {
            write!(f, "{loss:?} {times} times, longest {longest:.1?}; ")?;
        }
        Ok(())
    }
}

/// Two instances, each of which reaches two servers through their poolers; one server is a standby, for which commits wait.
struct Park {
    machines: PostgresMachines,
    fire: Fire,
    random: Xoshiro256PlusPlus,
    primary: &'static str,
    standby: &'static str,
    tally: Tally,
}

impl Park {
    async fn open(machines: PostgresMachines, seed: u64) -> Self {
        machines.add_standby("two", "one");
        machines.make_synchronous("one", "two");
        for (pooler, server) in POOLERS.into_iter().zip(["one", "two"]) {
            // By itself it would leave a server alone for 15 seconds that could not be reached once.
            machines.add_pooler(pooler, server, "server_login_retry = 1\nserver_connect_timeout = 3");
        }
        let options =
            OpenOptions { pooler: Pooler::Transaction, ..OpenOptions::new(machines.url(&POOLERS), Missing::Refuse, 4) };
        let place = ShopFolder::with_database(TestDatabase::opened_by(options));
        let place = place.variable("STOA_DATABASE__POOLER", "transaction");
        let mut fire = Fire::light(place, Backend::Postgres, seed).await;
        // A run that is long is one of a shop that people go to, not of one that is at its limit.
        fire.stage.have_outages(if length().is_zero() { Duration::ZERO } else { Duration::from_millis(300) });
        for _ in 0..2 {
            fire.stage.start().await;
        }
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { machines, fire, random, primary: "one", standby: "two", tally: Tally::default() }
    }

    async fn lose(&mut self, loss: Loss) {
        self.fire.stage.progress(2).await;
        sleep(Duration::from_millis(self.random.random_range(0..60))).await;
        let lost_at = Instant::now();
        match loss {
            Loss::Instance => self.fire.stage.kill().await,
            Loss::Pooler => {
                self.machines.kill_pooler(self.pooler());
                self.machines.start_pooler(self.pooler());
            }
            Loss::PrimaryCrashes => {
                self.machines.crash(self.primary);
                self.machines.promote(self.standby);
            }
            Loss::PrimaryHangs => {
                self.machines.freeze(self.primary);
                self.machines.promote(self.standby);
            }
        }
        self.fire.stage.progress(1).await;
        self.tally.count(loss, lost_at.elapsed());
        match loss {
            Loss::Instance => self.fire.stage.start().await,
            Loss::Pooler => {}
            Loss::PrimaryCrashes => self.follow().await,
            Loss::PrimaryHangs => {
                // It takes writes as if nothing had been, which nobody gives it any more.
                self.machines.thaw(self.primary);
                self.fire.stage.progress(2).await;
                self.machines.crash(self.primary);
                self.follow().await;
            }
        }
    }

    fn pooler(&self) -> &'static str {
        if self.primary == "one" { POOLERS[0] } else { POOLERS[1] }
    }

    /// The old primary becomes a standby of the new one.
    async fn follow(&mut self) {
        std::mem::swap(&mut self.primary, &mut self.standby);
        self.machines.add_standby(self.standby, self.primary);
        self.machines.make_synchronous(self.primary, self.standby);
        // Customers ask again by themselves; whoever looks through the shop waits until it is known which server is the primary.
        let known = timeout(PATIENCE, async {
            while self.fire.stage.db.read(ORDERS).scalars::<i64>().await.is_err() {
                sleep(Duration::from_millis(50)).await;
            }
        });
        known.await.expect("the new primary is found");
        assert_adds_up(&self.fire.stage.db).await;
    }
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_when_instances_poolers_and_primaries_are_lost() {
    run_machines_test(async |machines| {
        let mut park = Park::open(machines, seed()).await;
        for loss in LOSSES {
            park.lose(loss).await;
        }
        let (began, length) = (Instant::now(), length());
        let mut told = began;
        while began.elapsed() < length {
            let loss = *LOSSES.choose(&mut park.random).expect("there are some");
            park.lose(loss).await;
            if told.elapsed() > Duration::from_mins(1) {
                println!("{:.0?}: {}", began.elapsed(), park.tally);
                told = Instant::now();
            }
        }
        println!("{}", park.tally);
        check(park.fire).await;
    });
}
