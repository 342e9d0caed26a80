//! Values are added to a pool; those who have paid and wait get theirs at once.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use stoa_core::encryption::Cipher;
use stoa_core::prelude::*;
use stoa_core::random::Random;
use stoa_core::secret::Secret;

use crate::granting::serve_waiting;
use crate::hint::hint;
use crate::pools::lock_pool;
use crate::queries;
use crate::vault::{Fingerprints, VaultError, active_key};

/// The longest value, in characters.
const LONGEST: usize = 4096;

/// A value with the number of its line, from 1.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) line: u64,
    pub(crate) value: Secret,
}

/// What came of adding values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filled {
    /// Values that are new to the pool.
    pub(crate) added: u64,
    /// Lines whose value the pool has, or has had, already.
    pub(crate) duplicates: Vec<u64>,
    /// How many of those who waited have got one.
    pub(crate) served: u64,
}

/// Reads the value of a line; none of an empty one, and why it cannot be one otherwise.
pub(crate) fn value_of(line: &str) -> Result<Option<Secret>, String> {
    let value = line.trim();
    if value.is_empty() {
        return Ok(None);
    }
    if value.chars().count() > LONGEST {
        return Err(format!("the value has more than {LONGEST} characters"));
    }
    if value.chars().any(|character| character.is_control() && character != '\t') {
        return Err(String::from("the value holds a control character other than a tab"));
    }
    Ok(Some(Secret::new(value)))
}

/// Adds values to the pool of this name, in one transaction.
pub(crate) async fn fill(
    db: &Db,
    random: &Random,
    cipher: &Cipher,
    pool: &str,
    candidates: &[Candidate],
) -> Result<Filled, VaultError> {
    db.write(async |tx| fill_in(tx, random, cipher, pool, candidates).await).await
}

async fn fill_in(
    tx: &mut Tx,
    random: &Random,
    cipher: &Cipher,
    pool: &str,
    candidates: &[Candidate],
) -> Result<Filled, VaultError> {
    let subject = Subject::new("pool", pool);
    let pool = lock_pool(tx, pool).await?;
    let fingerprints = Fingerprints::new(cipher);
    let (mut new, mut duplicates, mut described) = (BTreeMap::new(), Vec::new(), Vec::new());
    for candidate in candidates {
        let fingerprint = fingerprints.of(pool.id, &candidate.value);
        if new.contains_key(&fingerprint) {
            duplicates.push(candidate.line);
            continue;
        }
        described.push(json!({"fingerprint": fingerprint, "hint": hint(candidate.value.expose())}));
        new.insert(fingerprint, candidate);
    }
    let now = tx.now();
    let insert = tx.run(queries::INSERT_VALUES).bind(pool.id).bind(Value::Array(described).to_string()).bind(now);
    let inserted = insert.all::<(i64, String)>().await?;
    let key = active_key(tx, random, cipher).await?;
    let mut sealed = Vec::with_capacity(inserted.len());
    for (id, fingerprint) in &inserted {
        if let Some(candidate) = new.remove(fingerprint) {
            sealed.push(json!({"id": id, "sealed": key.seal(*id, &candidate.value)}));
        }
    }
    if !sealed.is_empty() {
        tx.run(queries::SEAL_VALUES).bind(Value::Array(sealed).to_string()).bind(key.id).execute().await?;
    }
    duplicates.extend(new.into_values().map(|candidate| candidate.line));
    duplicates.sort_unstable();
    let served = serve_waiting(tx, pool).await?;
    let after = json!({"added": inserted.len(), "delivered": served});
    tx.audit_operator("digital_secrets.add", subject, Value::Null, after).await?;
    Ok(Filled { added: inserted.len() as u64, duplicates, served })
}

/// Says what adding would do, and writes nothing. `seen` remembers what came before in the same file.
pub(crate) async fn rehearse(
    db: &Db,
    cipher: &Cipher,
    pool: &str,
    candidates: &[Candidate],
    seen: &mut BTreeSet<String>,
) -> Result<Filled, VaultError> {
    let pool_id = db.read(queries::FIND_POOL).bind(pool).optional_scalar::<i64>().await?;
    let fingerprints = Fingerprints::new(cipher);
    // A pool that is not there yet knows no value; within the file they are compared all the same.
    let fingerprint = |candidate: &Candidate| fingerprints.of(pool_id.unwrap_or(0), &candidate.value);
    let described = candidates.iter().map(|candidate| json!({"fingerprint": fingerprint(candidate)}));
    let described = Value::Array(described.collect()).to_string();
    let known = match pool_id {
        Some(id) => db.read(queries::LIST_KNOWN).bind(id).bind(described).scalars::<String>().await?,
        None => Vec::new(),
    };
    seen.extend(known);
    let mut filled = Filled::default();
    for candidate in candidates {
        if seen.insert(fingerprint(candidate)) {
            filled.added += 1;
        } else {
            filled.duplicates.push(candidate.line);
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_around_a_value_is_no_part_of_it() {
        for line in ["KEY-1", " KEY-1 ", "KEY-1\r", "\tKEY-1\t\r"] {
            let value = value_of(line).expect("it is right").expect("it is not empty");
            assert_eq!(value.expose(), "KEY-1", "{line:?}");
        }
        assert_eq!(value_of("user\tpassword\r").unwrap().unwrap().expose(), "user\tpassword");
    }

    #[test]
    fn an_empty_line_has_no_value() {
        for line in ["", " ", "\r", "\t \r"] {
            assert_eq!(value_of(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn what_is_no_value_is_refused_without_being_shown() {
        for line in ["KEY\u{0}1".to_owned(), "KEY\u{1b}[2J".to_owned(), "K".repeat(LONGEST + 1)] {
            let refused = value_of(&line).expect_err("it is wrong");
            assert!(!refused.contains("KEY"), "{refused}");
        }
        assert!(value_of(&"ä".repeat(LONGEST)).is_ok());
    }
}
