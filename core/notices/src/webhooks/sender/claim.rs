//! Taking deliveries under a lease, as many as there are free places.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};

use stoa_kernel::clock::horizon;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::secret::Secret;

use crate::webhooks::attempt::{MAX_ATTEMPTS, RETRY_DELAYS_SECONDS, Target};
use crate::webhooks::queries;
use crate::webhooks::secrets::open_secrets;

/// Requests in flight at once, over all endpoints.
const PLACES: usize = 256;

/// Requests in flight to one endpoint.
const PLACES_EACH: usize = 8;

/// Failures in a row from which on an endpoint is taken for broken. It gets fewer places then: each of its attempts
/// may take ten seconds.
const BROKEN_AFTER: i64 = 3;

/// Requests in flight to one endpoint that is taken for broken.
const PLACES_EACH_BROKEN: usize = 2;

/// Requests in flight to all of those together.
const PLACES_BROKEN: usize = 64;

/// Why a delivery was given up whose last sender never told.
const LEASE_EXPIRED: &str = "the last attempt was claimed, and its result never recorded";

/// Why a delivery was skipped.
pub(in crate::webhooks) const DISABLED: &str = "the endpoint was disabled";

/// What an endpoint has waiting.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(super) struct Waiting {
    pub id: i64,
    is_active: bool,
    pub(super) consecutive_failures: i64,
    pub(super) last_success_at: Option<DateTime<Utc>>,
    has_new: bool,
    has_due: bool,
}

/// How many deliveries of an endpoint shall be claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    endpoint: i64,
    has_new: bool,
    has_due: bool,
    places: usize,
}

/// A delivery that this process holds.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(super) struct Claimed {
    pub(super) id: i64,
    pub(super) delivery_id: String,
    pub(super) endpoint_id: i64,
    pub(super) event: String,
    pub(super) body: String,
    pub(super) attempts: i64,
}

/// Where is sent, as it is in the database.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(super) struct Destination {
    id: i64,
    url: String,
    secret: Vec<u8>,
    previous_secret: Option<Vec<u8>>,
    previous_secret_until: Option<DateTime<Utc>>,
}

impl Destination {
    pub(super) fn id(&self) -> i64 {
        self.id
    }

    /// The URL with the secrets that sign at this time. A secret that cannot be opened signs nothing.
    pub(super) fn target(&self, cipher: &Cipher, now: DateTime<Utc>) -> Result<Target, String> {
        let previous =
            self.previous_secret.as_deref().filter(|_| self.previous_secret_until.is_some_and(|until| now < until));
        let secrets: Vec<Secret> =
            open_secrets(cipher, self.id, &self.secret, previous).map_err(|error| error.to_string())?;
        Ok(Target { url: self.url.clone(), secrets })
    }
}

/// Distributes the free places over the endpoints that have something waiting, starting behind the one that was first
/// the last time.
pub(super) fn distribute(waiting: &[Waiting], busy: &HashMap<i64, usize>, turn: usize) -> Vec<Wanted> {
    let is_broken = |endpoint: &Waiting| endpoint.consecutive_failures >= BROKEN_AFTER;
    let taken = |endpoint: &Waiting| busy.get(&endpoint.id).copied().unwrap_or(0);
    let mut free = PLACES.saturating_sub(busy.values().sum());
    let held_by_broken: usize = waiting.iter().filter(|endpoint| is_broken(endpoint)).map(taken).sum();
    let mut free_broken = PLACES_BROKEN.saturating_sub(held_by_broken);
    let mut wanted = Vec::new();
    for offset in 0..waiting.len() {
        let endpoint = &waiting[(turn + offset) % waiting.len()];
        if !(endpoint.has_new || endpoint.has_due) {
            continue;
        }
        let places = if is_broken(endpoint) {
            let places = PLACES_EACH_BROKEN.saturating_sub(taken(endpoint)).min(free_broken).min(free);
            free_broken -= places;
            places
        } else {
            PLACES_EACH.saturating_sub(taken(endpoint)).min(free)
        };
        free -= places;
        if places > 0 {
            let Waiting { id, has_new, has_due, .. } = *endpoint;
            wanted.push(Wanted { endpoint: id, has_new, has_due, places });
        }
    }
    wanted
}

/// Whether one of these endpoints could be sent something more now. Where none is on, the next may be one that is not known yet.
pub(super) fn has_place(endpoints: &[Waiting], busy: &HashMap<i64, usize>) -> bool {
    let active = endpoints.iter().filter(|endpoint| endpoint.is_active);
    let asking = active.map(|endpoint| Waiting { has_new: true, ..endpoint.clone() }).collect::<Vec<_>>();
    asking.is_empty() || !distribute(&asking, busy, 0).is_empty()
}

/// Claims what is wanted. What an endpoint that is not among the destinations waits for is skipped.
pub(super) async fn claim(
    tx: &mut Tx,
    wanted: &[Wanted],
    destinations: &BTreeMap<i64, Destination>,
    lease: &str,
    lease_seconds: u64,
) -> Result<Vec<Claimed>, DbError> {
    let now = tx.now();
    let (lease_ends, last) = (lease_end(now, lease_seconds), last_due(now, lease_seconds));
    let mut claimed = Vec::new();
    for endpoint in wanted {
        if !destinations.contains_key(&endpoint.endpoint) {
            tx.run(queries::SKIP_DUE).bind(endpoint.endpoint).bind(now).bind(DISABLED).bind(last).execute().await?;
            continue;
        }
        let mut taken = Vec::new();
        if endpoint.has_due {
            let bury = tx.run(queries::BURY_EXPIRED).bind(endpoint.endpoint).bind(now).bind(MAX_ATTEMPTS);
            let buried = bury.bind(LEASE_EXPIRED).bind(last).execute().await?;
            if buried > 0 {
                tracing::warn!(
                    endpoint = endpoint.endpoint,
                    deliveries = buried,
                    "webhooks were given up: {LEASE_EXPIRED}"
                );
            }
            // New events must not wait behind a heap of old ones.
            let places = if endpoint.has_new { endpoint.places.div_ceil(2) } else { endpoint.places };
            let due = tx.run(queries::CLAIM_DUE).bind(endpoint.endpoint).bind(lease).bind(lease_ends);
            let due = due.bind(limit(places)).bind(now).bind(MAX_ATTEMPTS).bind(last);
            taken.extend(due.all::<Claimed>().await?);
        }
        let places = endpoint.places - taken.len();
        if endpoint.has_new && places > 0 {
            let new = tx.run(queries::CLAIM_NEW).bind(endpoint.endpoint).bind(lease).bind(lease_ends);
            taken.extend(new.bind(limit(places)).all::<Claimed>().await?);
        }
        taken.sort_by_key(|delivery| delivery.id);
        claimed.append(&mut taken);
    }
    Ok(claimed)
}

fn limit(places: usize) -> i64 {
    i64::try_from(places).unwrap_or(i64::MAX)
}

/// The end of a lease that begins now.
pub(super) fn lease_end(now: DateTime<Utc>, seconds: u64) -> DateTime<Utc> {
    now + lease_time(seconds)
}

/// Behind this time no delivery can be due: neither another attempt nor the end of a lease is so far away.
pub(super) fn last_due(now: DateTime<Utc>, lease_seconds: u64) -> DateTime<Utc> {
    let longest = RETRY_DELAYS_SECONDS.into_iter().map(TimeDelta::seconds).fold(lease_time(lease_seconds), Ord::max);
    horizon(now, longest)
}

fn lease_time(seconds: u64) -> TimeDelta {
    TimeDelta::seconds(i64::try_from(seconds).unwrap_or(i64::MAX / 1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(id: i64, failures: i64) -> Waiting {
        Waiting {
            id,
            is_active: true,
            consecutive_failures: failures,
            last_success_at: None,
            has_new: true,
            has_due: false,
        }
    }

    #[test]
    fn one_endpoint_gets_no_more_than_its_places() {
        let wanted = distribute(&[endpoint(1, 0), endpoint(2, 0)], &HashMap::from([(1, 5)]), 0);
        assert_eq!(wanted.iter().map(|wanted| (wanted.endpoint, wanted.places)).collect::<Vec<_>>(), [(1, 3), (2, 8)]);
    }

    #[test]
    fn there_is_no_place_when_all_endpoints_that_are_on_are_busy() {
        let off = Waiting { is_active: false, ..endpoint(3, 0) };
        let quiet = Waiting { has_new: false, ..endpoint(1, 0) };
        let endpoints = [quiet, endpoint(2, 7), off];
        assert!(has_place(&endpoints, &HashMap::from([(1, 7), (2, 2)])));
        assert!(has_place(&endpoints, &HashMap::from([(1, 8), (2, 1)])));
        assert!(!has_place(&endpoints, &HashMap::from([(1, 8), (2, 2)])));
        assert!(has_place(&endpoints[2..], &HashMap::new()));
    }

    #[test]
    fn any_number_of_broken_endpoints_leaves_places_for_the_rest() {
        let mut endpoints = (1..=500).map(|id| endpoint(id, 7)).collect::<Vec<_>>();
        endpoints.push(endpoint(501, 0));
        let wanted = distribute(&endpoints, &HashMap::new(), 0);
        let broken: usize = wanted.iter().filter(|wanted| wanted.endpoint <= 500).map(|wanted| wanted.places).sum();
        assert_eq!(broken, PLACES_BROKEN);
        assert_eq!(wanted.last().map(|wanted| (wanted.endpoint, wanted.places)), Some((501, PLACES_EACH)));
    }

    #[test]
    fn endpoints_take_turns_when_there_are_too_many() {
        let endpoints = (1..=100).map(|id| endpoint(id, 0)).collect::<Vec<_>>();
        let first = |turn| distribute(&endpoints, &HashMap::new(), turn)[0].endpoint;
        assert_eq!((first(0), first(32), first(100)), (1, 33, 1));
        let all: usize = distribute(&endpoints, &HashMap::new(), 0).iter().map(|wanted| wanted.places).sum();
        assert_eq!(all, PLACES);
    }
}
