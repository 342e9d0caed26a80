//! Whatever is typed into a field of the console, somebody is answered: never by an error of the server, and never by what was typed
//! as a part of the page.

use std::collections::BTreeSet;

use stoa_core::db::Backend;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestBrowser, TestResponse, both_databases};

use crate::forms::fields_of;
use crate::shelf::{browser, staff};
use crate::writes::{SAMPLES, filled};

const MARKUP: &str = "<script>alert(1)</script>";

/// Nothing, what is no number, no amount of this currency, too much, and what neither databases nor pages can hold.
const TYPED: [&str; 6] = ["", MARKUP, "-1", "1.005", "99999999999999999999", "a\u{0}b\u{7}"];

/// Longer than any field takes.
const LONG: usize = 20_000;

/// Their other fields are a password and a session, which the next forms need.
const LEFT_OUT: [&str; 2] = ["console.security.password", "console.security.session"];

/// Whether an answer is a page that what was typed has become a part of.
fn holds_markup(answer: &TestResponse) -> bool {
    answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) && answer.text().contains(MARKUP)
}

/// Follows an answer to the page that tells it, and looks at what is there.
async fn look(owner: &mut TestBrowser, answer: TestResponse, what: &str) {
    assert!(!answer.status.is_server_error(), "{what}: {} {}", answer.status, answer.text());
    assert!(!holds_markup(&answer), "{what} is a part of the page: {}", answer.text());
    if let Some(location) = answer.header("location").map(str::to_owned) {
        let page = owner.get(&location).await;
        assert!(!page.status.is_server_error(), "{what}: {location} is {} {}", page.status, page.text());
        assert!(!holds_markup(&page), "{what} is a part of {location}: {}", page.text());
    }
}

/// Where the menu leads.
fn pages(today: &str) -> Vec<String> {
    let links = today.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.filter(|link| link.starts_with("/console/") && !link.contains("/assets/")).map(str::to_owned).collect()
}

both_databases!(nothing_that_is_typed_takes_a_page_down_or_becomes_a_part_of_it);
async fn nothing_that_is_typed_takes_a_page_down_or_becomes_a_part_of_it(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = filled(&smtp, backend).await;
    let mut owner = browser(&shop, "owner").await;
    staff(&shop, "viewer").await;
    let long = "x".repeat(LONG);
    let mut tried = BTreeSet::new();
    for (name, page, path, typed) in SAMPLES.iter().filter(|sample| !LEFT_OUT.contains(&sample.0)) {
        let (page, path) = (format!("/console{page}"), format!("/console{path}"));
        let shown = owner.get(&page).await;
        let begin = format!("<form method=\"post\" action=\"{path}\"");
        // What was typed before may have done what this form is for.
        if shown.status != 200 || !shown.text().contains(&begin) {
            continue;
        }
        let shown = shown.text();
        let has_files = shown.contains(&format!("action=\"{path}\" enctype"));
        let mut fields = fields_of(&shown, &path);
        fields.retain(|(field, _)| !typed.iter().any(|(other, _)| other == field));
        // What asks first goes on asking.
        let typed = typed.iter().filter(|(field, _)| *field != "confirm");
        fields.extend(typed.map(|(field, value)| ((*field).to_owned(), (*value).to_owned())));
        let names =
            fields.iter().map(|(field, _)| field.clone()).filter(|field| field != "csrf").collect::<BTreeSet<_>>();
        for field in &names {
            for value in TYPED.into_iter().chain([long.as_str()]) {
                let others = fields.iter().filter(|(other, _)| other != field);
                let sent =
                    others.map(|(other, value)| (other.as_str(), value.as_str())).chain([(field.as_str(), value)]);
                let sent = sent.collect::<Vec<_>>();
                let answer =
                    if has_files { owner.upload(&path, &sent, &[]).await } else { owner.submit(&path, &sent).await };
                let value = value.chars().take(30).collect::<String>();
                look(&mut owner, answer, &format!("{name}: {value:?} in {field}")).await;
            }
        }
        tried.insert(*name);
        // The forms that follow need what this one does.
        let sent = fields.iter().map(|(field, value)| (field.as_str(), value.as_str())).collect::<Vec<_>>();
        let answer = if has_files { owner.upload(&path, &sent, &[]).await } else { owner.submit(&path, &sent).await };
        look(&mut owner, answer, name).await;
    }
    assert!(tried.len() >= 50, "the walk has lost its forms: {tried:?}");
    let pages = pages(&owner.get("/console").await.expect_status(200).text());
    assert!(pages.len() >= 25, "the walk has lost its pages: {pages:?}");
    for page in pages {
        for query in [
            "",
            "?q=a%00b",
            "?after=a%00b",
            "?before=a%00b",
            "?q=%3Cscript%3Ealert(1)%3C/script%3E",
            "?from=tomorrow&to=0",
        ] {
            let answer = owner.get(&format!("{page}{query}")).await;
            look(&mut owner, answer, &format!("{page}{query}")).await;
        }
    }
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}
