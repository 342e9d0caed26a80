//! Whether the module keeps what belongs to one customer from the others.
//!
//! Each path with a variable is asked for ids that do not exist. Then rows are put into the module's tables that belong to
//! another customer, and nothing of them may be seen. A program cannot see everything: a row is made from the schema
//! alone, so a module whose rows only mean something together has tests of its own.

use http::Method;

use stoa_kernel::db::DbError;
use stoa_kernel::http::table::PathKind;

use super::queries;
use super::report::Report;
use super::request::{TestAnswer, ask, customer, token};
use super::rule::Rule;
use super::sample_rows::{sample_row, with_parents};
use super::schema::Table;
use super::subject::{RouteUnderTest, describe};
use crate::program::Shop;

/// What people put into an address where an id is expected.
const IDS: [&str; 6] = ["4711", "9223372036854775807", "99999999999999999999", "0", "-1", "x"];

/// The same where a name is expected.
const NAMES: [&str; 3] = ["no-such-thing", "%27%3B--", "%F0%9F%8E%81"];

/// The id that all rows have, and what stands in their texts.
const THE_ROW: &str = "1";

/// Asks for what is not there, and for what is somebody else's.
pub(super) async fn look(
    routes: &[RouteUnderTest],
    shop: &Shop,
    tables: &[Table],
    report: &mut Report,
) -> Result<(), String> {
    // The rows that follow belong to the first customer there is.
    customer(shop, "owner").await?;
    let stranger = token(shop, &customer(shop, "stranger").await?, "*").await?;
    let routes = routes.iter().filter(|route| route.is_mapped).collect::<Vec<_>>();
    for route in &routes {
        let values = match route.variables.first() {
            None => continue,
            Some(PathKind::Id) => &IDS[..],
            Some(PathKind::Text) => &NAMES,
        };
        for value in values {
            let path = route.filled(value);
            let answer = ask(shop, &route.method, &path, Some(&stranger), route.body.as_ref()).await?;
            if !is_not_found(route, &answer) {
                let problem = format!("{path} answers {} instead of 404", answer.describe());
                report.breach(Rule::Strangers, route.name(), problem, "answer 404 for what is not there");
            }
        }
    }
    // What is public is everybody's.
    let routes = routes.into_iter().filter(|route| !route.is_public).collect::<Vec<_>>();
    ask_for_rows(&routes, shop, tables, &stranger, report).await
}

/// Whether this is how a route says that a thing is not there. The body may be found wrong before that.
fn is_not_found(route: &RouteUnderTest, answer: &TestAnswer) -> bool {
    answer.status == 404 || (route.body.is_some() && answer.status == 422)
}

async fn ask_for_rows(
    routes: &[&RouteUnderTest],
    shop: &Shop,
    tables: &[Table],
    stranger: &str,
    report: &mut Report,
) -> Result<(), String> {
    let needed = with_parents(tables.iter().filter(|table| table.is_personal()), tables);
    let (personal, public): (Vec<&Table>, Vec<&Table>) = needed.into_iter().partition(|table| table.is_personal());
    if personal.is_empty() {
        return Ok(());
    }
    // What everybody may see is seen before there is anything personal.
    let mut left_out = fill(shop, &public, THE_ROW).await;
    let before = answers(routes, shop, stranger).await?;
    left_out.extend(fill(shop, &personal, THE_ROW).await);
    let after = answers(routes, shop, stranger).await?;
    for ((route, before), after) in routes.iter().zip(before).zip(after) {
        if before != after {
            let problem = format!(
                "it answers {} instead of {} when there is a row of another customer",
                after.describe(),
                before.describe()
            );
            let mend = "bind `customer.id` in the statement that finds the row";
            report.breach(Rule::Strangers, route.name(), problem, mend);
        }
    }
    if !left_out.is_empty() {
        let why = format!("no row could be made from the schema for {}", left_out.join(", "));
        report.leave_out(Rule::Strangers, why);
    }
    Ok(())
}

/// What the stranger sees of the one row: paths that change nothing.
async fn answers(routes: &[&RouteUnderTest], shop: &Shop, stranger: &str) -> Result<Vec<TestAnswer>, String> {
    let mut answers = Vec::new();
    for route in routes {
        let answer = if route.method == Method::GET || !route.variables.is_empty() {
            ask(shop, &route.method, &route.filled(THE_ROW), Some(stranger), route.body.as_ref()).await?
        } else {
            // Something new would be made, which is the stranger's own.
            TestAnswer { status: 0, body: serde_json::Value::Null }
        };
        answers.push(answer);
    }
    Ok(answers)
}

/// Puts a row into each table, with this where any text may stand; gives back the tables where that did not work.
pub(super) async fn fill(shop: &Shop, tables: &[&Table], text: &str) -> Vec<String> {
    let mut failed = Vec::new();
    for table in tables {
        let insert = queries::insert(&sample_row(table, text));
        let filled = shop.parts.db.write(async |tx| -> Result<u64, DbError> { tx.run(insert).execute().await }).await;
        match filled {
            // What core lacks, the module's own row will miss.
            _ if !table.is_own => {}
            Ok(0) => failed.push(format!("`{}` (a check of the table refuses it)", table.name)),
            Ok(_) => {}
            Err(error) => failed.push(format!("`{}` ({})", table.name, describe(&error))),
        }
    }
    failed
}
