//! Which bodies are found, which stay, and what they cost.

use std::collections::HashMap;

use proptest::prelude::*;

use super::kept::Kept;
use super::place::Places;
use super::segments::{Resident, Segments};
use super::*;

const ROOM: u64 = 64 * 1024;

fn kept() -> Kept {
    Kept::new(ROOM, &Random::seeded(1))
}

fn body(text: &str) -> ProductBody {
    ProductBody { answer: Bytes::copy_from_slice(text.as_bytes()), tag: Tag::of([text.as_bytes()]) }
}

/// A body of some hundred bytes that tells which product it is of, and as of which version.
fn content(version: i64, id: i64) -> String {
    format!("{{\"data\":\"product {id} as of {version}\"}}").repeat(10)
}

fn put(kept: &Kept, version: i64, id: i64) {
    kept.put(version, id, &format!("product-{id}"), &body(&content(version, id)));
}

fn of_slug(kept: &Kept, version: i64, id: i64) -> Option<String> {
    kept.of_slug(version, &format!("product-{id}")).as_ref().map(text)
}

fn text(body: &ProductBody) -> String {
    let text = String::from_utf8(body.answer.to_vec()).expect("the body is text");
    assert_eq!(body.tag, Tag::of([text.as_bytes()]));
    text
}

#[test]
fn a_body_is_found_by_its_slug_and_by_its_id_as_of_its_version_alone() {
    let kept = kept();
    put(&kept, 7, 1);
    assert_eq!(of_slug(&kept, 7, 1), Some(content(7, 1)));
    assert_eq!(kept.of_id(7, 1).as_ref().map(text), Some(content(7, 1)));
    for version in [6, 8] {
        assert_eq!(of_slug(&kept, version, 1), None);
        assert!(kept.of_id(version, 1).is_none());
    }
    assert!(kept.of_id(7, 2).is_none());
}

#[test]
fn a_body_that_came_late_from_an_older_version_does_not_replace_the_newer_one() {
    let kept = kept();
    put(&kept, 8, 1);
    put(&kept, 7, 1);
    assert_eq!(of_slug(&kept, 8, 1), Some(content(8, 1)));
    assert_eq!(kept.of_id(8, 1).as_ref().map(text), Some(content(8, 1)));
}

#[test]
fn what_was_asked_for_stays_while_others_come_and_go() {
    let kept = kept();
    put(&kept, 1, 0);
    for id in 1..2_000 {
        put(&kept, 1, id);
        assert_eq!(of_slug(&kept, 1, 0), Some(content(1, 0)), "after {id} others");
        assert_eq!(kept.of_id(1, 0).as_ref().map(text), Some(content(1, 0)), "after {id} others");
    }
    assert_eq!(of_slug(&kept, 1, 1), None, "not all fit");
}

#[test]
fn a_body_that_is_longer_than_a_usual_segment_has_one_of_its_own() {
    let kept = Kept::new(16 * 1024 * 1024, &Random::seeded(1));
    put(&kept, 1, 1);
    let long = "x".repeat(300 * 1024);
    kept.put(1, 2, "long", &body(&long));
    put(&kept, 1, 3);
    assert_eq!(kept.of_slug(1, "long").as_ref().map(text), Some(long));
    assert_eq!((of_slug(&kept, 1, 1), of_slug(&kept, 1, 3)), (Some(content(1, 1)), Some(content(1, 3))));
}

#[test]
fn a_body_that_would_displace_much_of_the_rest_is_not_kept() {
    let kept = kept();
    put(&kept, 1, 1);
    let long = "x".repeat(usize::try_from(ROOM / 16).expect("small"));
    kept.put(1, 2, "long", &body(&long));
    assert!(kept.of_slug(1, "long").is_none());
    assert_eq!(of_slug(&kept, 1, 1), Some(content(1, 1)));
}

#[test]
fn nothing_is_found_after_clearing_and_what_comes_then_is_kept() {
    let kept = kept();
    put(&kept, 1, 1);
    kept.clear();
    assert_eq!(of_slug(&kept, 1, 1), None);
    assert!(kept.of_id(1, 1).is_none());
    put(&kept, 1, 1);
    assert_eq!(of_slug(&kept, 1, 1), Some(content(1, 1)));
}

#[test]
fn a_body_that_is_still_being_sent_outlives_its_segment() {
    let kept = kept();
    put(&kept, 1, 1);
    let sent = kept.of_slug(1, "product-1").expect("it is kept");
    kept.clear();
    (2..2_000).for_each(|id| put(&kept, 1, id));
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
        let kept = kept();
        let mut put = HashMap::new();
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Put { version, id, length } => {
                    let text = format!("{number} {}", "x".repeat(length));
                    kept.put(version, id, &id.to_string(), &body(&text));
                    put.insert((version, id), text);
                }
                Step::AskBySlug { version, id } => {
                    let found = kept.of_slug(version, &id.to_string()).as_ref().map(text);
                    prop_assert!(found.is_none() || found.as_ref() == put.get(&(version, id)));
                }
                Step::AskById { version, id } => {
                    let found = kept.of_id(version, id).as_ref().map(text);
                    prop_assert!(found.is_none() || found.as_ref() == put.get(&(version, id)));
                }
                Step::Clear => {
                    kept.clear();
                    put.clear();
                }
            }
            prop_assert!(kept.cost() <= ROOM, "{} bytes", kept.cost());
        }
    }
}

#[test]
fn a_full_segment_is_let_go_of_with_all_its_bodies() {
    let mut segments = Segments::new(ROOM);
    let places = Places::new(&Random::seeded(1));
    let resident = |id: i64| Resident { place: places.of(1, &id.to_string()), version: 1, product_id: id };
    let mut gone = Vec::new();
    for id in 0..200 {
        segments.add(resident(id), &[0; 700]);
        while let Some(residents) = segments.let_go() {
            gone.extend(residents.into_iter().map(|resident| resident.product_id));
        }
    }
    assert!(gone.len() > 100, "{} are gone", gone.len());
    assert!(gone.iter().copied().eq(0..gone.len().try_into().expect("few")), "the oldest go first: {gone:?}");
}
