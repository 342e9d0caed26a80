//! Who is let in while the module is on, and that nothing is there while it is off.

use stoa_kernel::module::ModuleEntry;

use super::report::Report;
use super::request::{ask, customer, token};
use super::rule::Rule;
use super::subject::{RouteUnderTest, Subject, describe};
use crate::program::Shop;

/// A path that no module has.
const UNKNOWN: &str = "/no-such-path-at-all";

/// An ability of core's, which opens no route of a module.
const ANOTHER: &str = "account.read";

/// What stands in place of a path's variable.
const ANY: &str = "1";

/// With the module off, everything has to be as if it were not linked.
pub(super) async fn look_off(entry: ModuleEntry, report: &mut Report) -> Result<(), String> {
    let on = Subject::freeze(entry).map_err(|problems| problems.to_string())?;
    let off = match Subject::freeze_off(entry) {
        Ok(off) => off,
        Err(problems) => {
            report.breach(Rule::Off, entry.name, problems.to_string(), "it has to register while it is off too");
            return Ok(());
        }
    };
    let routes = on.routes();
    let db = off.open_database().await?;
    db.migrate(&off.registry().migrations).await.map_err(|error| describe(&error))?;
    let shop = off.open(db).await?;
    let everything = token(&shop, &customer(&shop, "everybody").await?, "*").await?;
    for route in &routes {
        for token in [None, Some(everything.as_str()), Some("1|wrong")] {
            let body = route.body.as_ref();
            let unknown = ask(&shop, &route.method, UNKNOWN, token, body).await?;
            let answer = ask(&shop, &route.method, &route.filled(ANY), token, body).await?;
            if answer != unknown {
                let mend = "a path of a module that is off must not be told from one that does not exist";
                report.breach(Rule::Off, route.name(), format!("it answers {} while off", answer.describe()), mend);
            }
        }
    }
    Ok(())
}

/// With the module on, each route asks who is there and what they may do.
pub(super) async fn look_on(routes: &[RouteUnderTest], shop: &Shop, report: &mut Report) -> Result<(), String> {
    let other = token(shop, &customer(shop, "without").await?, ANOTHER).await?;
    for route in routes.iter().filter(|route| !route.is_public) {
        if !route.is_mapped {
            let mend = "map the first label of its name with `cx.ability(prefix, ability)`";
            report.breach(Rule::Routes, route.name(), "no ability opens it, so it refuses everybody", mend);
            continue;
        }
        let (path, body) = (route.filled(ANY), route.body.as_ref());
        let answer = ask(shop, &route.method, &path, None, body).await?;
        if !answer.is(401, "unauthenticated") {
            let problem = format!("it answers {} to nobody, instead of 401", answer.describe());
            report.breach(Rule::Routes, route.name(), problem, "routes of modules need a signed-in customer");
        }
        let answer = ask(shop, &route.method, &path, Some(&other), body).await?;
        if !answer.is(403, "insufficient_scope") {
            let problem = format!("it answers {} to a token with `{ANOTHER}` only, instead of 403", answer.describe());
            report.breach(Rule::Routes, route.name(), problem, "open it by an ability of the module's own");
        }
    }
    Ok(())
}
