//! Sharing the places of a lane out among its order keys.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::lane::Lane;

/// Failures in a row from which on a key is taken for broken: each of its attempts may take as long as patience lasts.
const BROKEN_AFTER: u32 = 3;

/// What a key that is taken for broken gets of what it would get otherwise, and all of those of the lane.
const SHARE_OF_BROKEN: usize = 4;

/// How one process is at work on the order keys of a lane.
#[derive(Debug, Default)]
pub(super) struct OrderKeys {
    in_flight: HashMap<String, usize>,
    /// Failures in a row, of keys whose last task has failed.
    failures: HashMap<String, u32>,
    turns: usize,
}

/// How many tasks of a key are to be claimed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    order_key: String,
    places: usize,
}

impl Wanted {
    /// As the statement takes it.
    pub(super) fn array(wanted: &[Self]) -> String {
        let wanted = wanted.iter().map(|one| json!({"order_key": one.order_key, "places": one.places}));
        Value::Array(wanted.collect()).to_string()
    }
}

impl OrderKeys {
    pub(super) fn begin(&mut self, order_key: &str) {
        *self.in_flight.entry(order_key.to_owned()).or_default() += 1;
    }

    pub(super) fn end(&mut self, order_key: &str, has_failed: bool) {
        if let Some(in_flight) = self.in_flight.get_mut(order_key) {
            *in_flight -= 1;
            if *in_flight == 0 {
                self.in_flight.remove(order_key);
            }
        }
        if has_failed {
            *self.failures.entry(order_key.to_owned()).or_default() += 1;
        } else {
            self.failures.remove(order_key);
        }
    }

    /// Shares the free places of the lane out among the keys that have something due, beginning behind the one that was first
    /// the last time.
    pub(super) fn distribute(&mut self, lane: Lane, each: usize, due: &[&str]) -> Vec<Wanted> {
        let is_broken = |key: &str| self.failures.get(key).is_some_and(|failures| *failures >= BROKEN_AFTER);
        let taken = |key: &str| self.in_flight.get(key).copied().unwrap_or(0);
        let held_by_broken = self.in_flight.iter().filter(|(key, _)| is_broken(key)).map(|(_, taken)| taken).sum();
        let mut free = lane.at_once.saturating_sub(self.in_flight.values().sum());
        let mut free_broken = (lane.at_once / SHARE_OF_BROKEN).max(1).saturating_sub(held_by_broken);
        let first = if due.is_empty() { 0 } else { self.turns % due.len() };
        let mut wanted = Vec::new();
        for key in due[first..].iter().chain(&due[..first]) {
            let places = if is_broken(key) {
                let places = (each / SHARE_OF_BROKEN).max(1).saturating_sub(taken(key)).min(free_broken).min(free);
                free_broken -= places;
                places
            } else {
                each.saturating_sub(taken(key)).min(free)
            };
            free -= places;
            if places > 0 {
                wanted.push(Wanted { order_key: (*key).to_owned(), places });
            }
        }
        self.turns = self.turns.wrapping_add(1);
        wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: Lane = Lane::new("calls", 256, "call").abreast(8);

    fn distribute(keys: &mut OrderKeys, due: &[String]) -> Vec<(String, usize)> {
        let due = due.iter().map(String::as_str).collect::<Vec<_>>();
        keys.distribute(LANE, 8, &due).into_iter().map(|wanted| (wanted.order_key, wanted.places)).collect()
    }

    fn named(numbers: std::ops::RangeInclusive<usize>) -> Vec<String> {
        numbers.map(|number| format!("key:{number}")).collect()
    }

    #[test]
    fn one_key_gets_no_more_than_its_places() {
        let mut keys = OrderKeys::default();
        (0..5).for_each(|_| keys.begin("key:1"));
        assert_eq!(distribute(&mut keys, &named(1..=2)), [(String::from("key:1"), 3), (String::from("key:2"), 8)]);
    }

    #[test]
    fn any_number_of_broken_keys_leaves_places_for_the_rest() {
        let mut keys = OrderKeys::default();
        for key in named(1..=500) {
            for _ in 0..3 {
                keys.begin(&key);
                keys.end(&key, true);
            }
        }
        let wanted = distribute(&mut keys, &named(1..=501));
        let broken = wanted.iter().filter(|(key, _)| key != "key:501").map(|(_, places)| places).sum::<usize>();
        assert_eq!((broken, wanted.last()), (64, Some(&(String::from("key:501"), 8))));
    }

    #[test]
    fn a_key_is_sound_again_once_something_of_it_was_done() {
        let mut keys = OrderKeys::default();
        for has_failed in [true, true, true, false] {
            keys.begin("key:1");
            keys.end("key:1", has_failed);
        }
        assert_eq!(distribute(&mut keys, &named(1..=1)), [(String::from("key:1"), 8)]);
    }

    #[test]
    fn keys_take_turns_when_there_are_too_many() {
        let mut keys = OrderKeys::default();
        let first = [(); 3].map(|()| distribute(&mut keys, &named(1..=100))[0].0.clone());
        assert_eq!(first, ["key:1", "key:2", "key:3"]);
        let all = distribute(&mut keys, &named(1..=100)).iter().map(|(_, places)| places).sum::<usize>();
        assert_eq!(all, LANE.at_once);
    }
}
