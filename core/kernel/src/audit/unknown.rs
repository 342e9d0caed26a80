//! Values that somebody looks for and that no row has, with those that were probably meant.

use super::AuditFilter;
use super::queries;
use crate::db::{Db, DbError, Sql};
use crate::suggestion::{closest, closest_email, did_you_mean};

/// What is asked for and stands in no row, a sentence for each: whoever looks for an act that is written wrong would take it for one that
/// nobody has done.
pub async fn unknown_in_filter(db: &Db, filter: &AuditFilter) -> Result<Vec<String>, DbError> {
    let mut told = Vec::new();
    if let Some(subject) = &filter.subject {
        told.extend(told_of("subject", subject, &all(db, queries::SUBJECTS).await?, closest_subject));
    }
    if let Some(actor) = &filter.actor {
        let closest =
            |wrong: &str, known: &[String]| closest_email(wrong, known.iter().map(String::as_str)).map(str::to_owned);
        told.extend(told_of("actor", actor, &all(db, queries::ACTORS).await?, closest));
    }
    if let Some(act) = &filter.act {
        let mut known = all(db, queries::ACTS).await?;
        if !act.contains('.') {
            known = known.iter().map(|act| before(act, '.').to_owned()).collect();
        }
        let closest =
            |wrong: &str, known: &[String]| closest(wrong, known.iter().map(String::as_str)).map(str::to_owned);
        told.extend(told_of("act", act, &known, closest));
    }
    Ok(told)
}

async fn all(db: &Db, sql: Sql) -> Result<Vec<String>, DbError> {
    db.read(sql).scalars::<String>().await
}

fn told_of(
    what: &str,
    wrong: &str,
    known: &[String],
    closest: impl Fn(&str, &[String]) -> Option<String>,
) -> Option<String> {
    let is_known = known.iter().any(|known| known == wrong);
    (!is_known).then(|| format!("the audit log has no {what} `{wrong}`{}", did_you_mean(closest(wrong, known))))
}

/// The subject that was meant: of another kind, or of another name; numbers that are near say nothing.
fn closest_subject(wrong: &str, known: &[String]) -> Option<String> {
    let (kind, key) = wrong.split_once(':')?;
    let kinds = known.iter().map(|subject| before(subject, ':')).collect::<Vec<_>>();
    if !kinds.contains(&kind) {
        return closest(kind, kinds).map(|kind| format!("{kind}:{key}"));
    }
    let names = known.iter().filter_map(|subject| subject.split_once(':')).filter(|(of, _)| *of == kind);
    let name = closest(key, names.map(|(_, name)| name)).filter(|_| key.parse::<i64>().is_err());
    name.map(|name| format!("{kind}:{name}"))
}

fn before(text: &str, end: char) -> &str {
    text.split(end).next().unwrap_or(text)
}
