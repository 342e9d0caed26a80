//! Which bodies are found, which stay, and what they cost.

use std::collections::HashMap;

use proptest::prelude::*;

use super::entries::CacheEntries;
use super::key::CacheKeyHasher;
use super::segments::{CacheSegments, Resident};
use super::*;

const ROOM: u64 = 64 * 1024;

fn cache() -> CacheEntries {
    CacheEntries::new(ROOM, &Random::seeded(1))
}

fn body(text: &str) -> ProductBody {
    ProductBody { answer: Bytes::copy_from_slice(text.as_bytes()), tag: Tag::of([text.as_bytes()]), is_live: false }
}

/// A body of some hundred bytes that tells which product it is of, and as of which version.
fn content(version: i64, id: i64) -> String {
    format!("{{\"data\":\"product {id} as of {version}\"}}").repeat(10)
}

fn put(entries: &CacheEntries, version: i64, id: i64) {
    entries.put(version, id, &format!("product-{id}"), &body(&content(version, id)));
}

fn of_slug(entries: &CacheEntries, version: i64, id: i64) -> Option<String> {
    entries.of_slug(version, &format!("product-{id}")).as_ref().map(text)
}

fn text(body: &ProductBody) -> String {
    let text = String::from_utf8(body.answer.to_vec()).expect("the body is text");
    assert_eq!(body.tag, Tag::of([text.as_bytes()]));
    text
}

#[test]
fn a_body_is_found_by_its_slug_and_by_its_id_as_of_its_version_alone() {
    let entries = cache();
    put(&entries, 7, 1);
    assert_eq!(of_slug(&entries, 7, 1), Some(content(7, 1)));
    assert_eq!(entries.of_id(7, 1).as_ref().map(text), Some(content(7, 1)));
    for version in [6, 8] {
        assert_eq!(of_slug(&entries, version, 1), None);
        assert!(entries.of_id(version, 1).is_none());
    }
    assert!(entries.of_id(7, 2).is_none());
}

#[test]
fn a_body_that_came_late_from_an_older_version_does_not_replace_the_newer_one() {
    let entries = cache();
    put(&entries, 8, 1);
    put(&entries, 7, 1);
    assert_eq!(of_slug(&entries, 8, 1), Some(content(8, 1)));
    assert_eq!(entries.of_id(8, 1).as_ref().map(text), Some(content(8, 1)));
}

#[test]
fn what_was_asked_for_stays_while_others_come_and_go() {
    let entries = cache();
    put(&entries, 1, 0);
    for id in 1..2_000 {
        put(&entries, 1, id);
        assert_eq!(of_slug(&entries, 1, 0), Some(content(1, 0)), "after {id} others");
        assert_eq!(entries.of_id(1, 0).as_ref().map(text), Some(content(1, 0)), "after {id} others");
    }
    assert_eq!(of_slug(&entries, 1, 1), None, "not all fit");
}

#[test]
fn a_body_that_is_longer_than_a_usual_segment_has_one_of_its_own() {
    let entries = CacheEntries::new(16 * 1024 * 1024, &Random::seeded(1));
    put(&entries, 1, 1);
    let long = "x".repeat(300 * 1024);
    entries.put(1, 2, "long", &body(&long));
    put(&entries, 1, 3);
    assert_eq!(entries.of_slug(1, "long").as_ref().map(text), Some(long));
    assert_eq!((of_slug(&entries, 1, 1), of_slug(&entries, 1, 3)), (Some(content(1, 1)), Some(content(1, 3))));
}

#[test]
fn a_body_that_would_displace_much_of_the_rest_is_not_kept() {
    let entries = cache();
    put(&entries, 1, 1);
    let long = "x".repeat(usize::try_from(ROOM / 16).expect("small"));
    entries.put(1, 2, "long", &body(&long));
    assert!(entries.of_slug(1, "long").is_none());
    assert_eq!(of_slug(&entries, 1, 1), Some(content(1, 1)));
}

#[test]
fn nothing_is_found_after_clearing_and_what_comes_then_is_kept() {
    let entries = cache();
    put(&entries, 1, 1);
    entries.clear();
    assert_eq!(of_slug(&entries, 1, 1), None);
    assert!(entries.of_id(1, 1).is_none());
    put(&entries, 1, 1);
    assert_eq!(of_slug(&entries, 1, 1), Some(content(1, 1)));
}

#[test]
fn a_body_that_is_still_being_sent_outlives_its_segment() {
    let entries = cache();
    put(&entries, 1, 1);
    let sent = entries.of_slug(1, "product-1").expect("it is kept");
    entries.clear();
    (2..2_000).for_each(|id| put(&entries, 1, id));
    assert_eq!(text(&sent), content(1, 1));
}

/// What happens to the bodies.
#[derive(Debug, Clone)]
enum Step {
    Put { version: i64, id: i64, length: usize },
    AskBySlug { version: i64, id: i64 },
    AskById { version: i64, id: i64 },
    Clear,
}

fn step() -> impl Strategy<Value = Step> {
    let (version, id) = (0..2_i64, 0..200_i64);
    prop_oneof![
        20 => (version.clone(), id.clone(), 0..2_500_usize)
            .prop_map(|(version, id, length)| Step::Put { version, id, length }),
        10 => (version.clone(), id.clone()).prop_map(|(version, id)| Step::AskBySlug { version, id }),
        10 => (version, id).prop_map(|(version, id)| Step::AskById { version, id }),
        1 => Just(Step::Clear),
    ]
}

proptest! {
    #[test]
    fn whatever_is_found_is_what_was_last_put_there_and_never_costs_more_than_there_is_room(
        steps in prop::collection::vec(step(), 1..600)
    ) {
        let entries = cache();
        let mut put = HashMap::new();
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Put { version, id, length } => {
                    let text = format!("{number} {}", "x".repeat(length));
                    entries.put(version, id, &id.to_string(), &body(&text));
                    put.insert((version, id), text);
                }
                Step::AskBySlug { version, id } => {
                    let found = entries.of_slug(version, &id.to_string()).as_ref().map(text);
                    prop_assert!(found.is_none() || found.as_ref() == put.get(&(version, id)));
                }
                Step::AskById { version, id } => {
                    let found = entries.of_id(version, id).as_ref().map(text);
                    prop_assert!(found.is_none() || found.as_ref() == put.get(&(version, id)));
                }
                Step::Clear => {
                    entries.clear();
                    put.clear();
                }
            }
            prop_assert!(entries.cost() <= ROOM, "{} bytes", entries.cost());
        }
    }
}

#[test]
fn a_full_segment_is_let_go_of_with_all_its_bodies() {
    let mut segments = CacheSegments::new(ROOM);
    let hasher = CacheKeyHasher::new(&Random::seeded(1));
    let resident = |id: i64| Resident { key: hasher.of(1, &id.to_string()), version: 1, product_id: id };
    let mut gone = Vec::new();
    for id in 0..200 {
        segments.add(resident(id), &[0; 700]);
        while let Some(residents) = segments.evict() {
            gone.extend(residents.into_iter().map(|resident| resident.product_id));
        }
    }
    assert!(gone.len() > 100, "{} are gone", gone.len());
    assert!(gone.iter().copied().eq(0..gone.len().try_into().expect("few")), "the oldest go first: {gone:?}");
}
