//! One value on its way from one database to another.

use chrono::{DateTime, NaiveDate, SubsecRound, Utc};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use sqlx::error::BoxDynError;
use sqlx::{Arguments, Row};
use sqlx_postgres::PgRow;
use sqlx_sqlite::{SqliteArguments, SqliteRow};
use uuid::Uuid;

use super::kind::Kind;

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Boolean(bool),
    Text(String),
    Bytes(Vec<u8>),
    /// In microseconds, which is what PostgreSQL keeps and the shop writes.
    Time(DateTime<Utc>),
    Date(NaiveDate),
    Uuid(Uuid),
    /// A JSON document as text.
    Json(String),
}

/// Reads a column of a row as a kind; both drivers have the same functions, but no trait in common that is short.
macro_rules! read {
    ($row:ident, $index:ident, $kind:ident) => {
        match $kind {
            Kind::Integer => $row.try_get::<Option<i64>, _>($index)?.map(Value::Integer),
            Kind::Real => $row.try_get::<Option<f64>, _>($index)?.map(Value::Real),
            Kind::Boolean => $row.try_get::<Option<bool>, _>($index)?.map(Value::Boolean),
            Kind::Text => $row.try_get::<Option<String>, _>($index)?.map(Value::Text),
            Kind::Bytes => $row.try_get::<Option<Vec<u8>>, _>($index)?.map(Value::Bytes),
            Kind::Time => {
                let time = $row.try_get::<Option<DateTime<Utc>>, _>($index)?;
                time.map(|time| Value::Time(time.trunc_subsecs(6)))
            }
            Kind::Date => $row.try_get::<Option<NaiveDate>, _>($index)?.map(Value::Date),
            Kind::Uuid => $row.try_get::<Option<Uuid>, _>($index)?.map(Value::Uuid),
            Kind::Json => $row.try_get::<Option<String>, _>($index)?.map(Value::Json),
        }
    };
}

impl Value {
    pub(super) fn of_sqlite(row: &SqliteRow, index: usize, kind: Kind) -> Result<Self, sqlx::Error> {
        Ok(read!(row, index, kind).unwrap_or(Self::Null))
    }

    pub(super) fn of_postgres(row: &PgRow, index: usize, kind: Kind) -> Result<Self, sqlx::Error> {
        Ok(read!(row, index, kind).unwrap_or(Self::Null))
    }

    /// Binds the value for SQLite.
    pub(super) fn bind(self, arguments: &mut SqliteArguments) -> Result<(), BoxDynError> {
        match self {
            Self::Null => arguments.add(None::<i64>),
            Self::Integer(value) => arguments.add(value),
            Self::Real(value) => arguments.add(value),
            Self::Boolean(value) => arguments.add(value),
            Self::Text(value) | Self::Json(value) => arguments.add(value),
            Self::Bytes(value) => arguments.add(value),
            Self::Time(value) => arguments.add(value),
            Self::Date(value) => arguments.add(value),
            Self::Uuid(value) => arguments.add(value),
        }
    }

    /// Adds the value to a hash, alike on both databases. Each value has a tag and, where its length varies, its length,
    /// so that no two rows hash the same text.
    pub(super) fn hash(&self, hash: &mut Sha256) -> Result<(), serde_json::Error> {
        match self {
            Self::Null => hash.update([0]),
            Self::Integer(value) => tagged(hash, 1, &value.to_be_bytes()),
            // Adding zero makes a negative zero positive.
            Self::Real(value) => tagged(hash, 2, &(value + 0.0).to_be_bytes()),
            Self::Boolean(value) => tagged(hash, 3, &[u8::from(*value)]),
            Self::Text(value) => tagged(hash, 4, value.as_bytes()),
            Self::Bytes(value) => tagged(hash, 5, value),
            Self::Time(value) => tagged(hash, 6, &value.timestamp_micros().to_be_bytes()),
            Self::Date(value) => tagged(hash, 7, value.to_string().as_bytes()),
            Self::Uuid(value) => tagged(hash, 8, value.as_bytes()),
            Self::Json(value) => tagged(hash, 9, canonical(&serde_json::from_str(value)?).as_bytes()),
        }
        Ok(())
    }
}

fn tagged(hash: &mut Sha256, tag: u8, bytes: &[u8]) {
    hash.update([tag]);
    hash.update(u64::try_from(bytes.len()).expect("no value is longer than that").to_be_bytes());
    hash.update(bytes);
}

/// A JSON document in one spelling. PostgreSQL sorts members and writes numbers out, so neither may matter.
fn canonical(document: &Json) -> String {
    match document {
        Json::Null | Json::Bool(_) | Json::String(_) => document.to_string(),
        Json::Number(number) => match number.as_f64() {
            Some(value) if !number.is_i64() && !number.is_u64() => canonical_fraction(value),
            _ => number.to_string(),
        },
        Json::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Json::Object(members) => {
            let mut members = members.iter().collect::<Vec<_>>();
            members.sort_unstable_by_key(|(name, _)| *name);
            let member =
                |(name, value): (&String, &Json)| format!("{}:{}", Json::from(name.as_str()), canonical(value));
            format!("{{{}}}", members.into_iter().map(member).collect::<Vec<_>>().join(","))
        }
    }
}

/// A number with a point or an exponent, `1e2` as `100`, which is how PostgreSQL gives it back.
fn canonical_fraction(value: f64) -> String {
    /// Up to here every whole number is exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        value if value.fract() == 0.0 && value.abs() <= EXACT => format!("{:.0}", value + 0.0),
        // Reading many digits may err in the last one, differently for each spelling.
        value => format!("{value:.12e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(value: &Value) -> String {
        let mut hash = Sha256::new();
        value.hash(&mut hash).expect("it can be hashed");
        hex::encode(hash.finalize())
    }

    fn json(text: &str) -> String {
        hash(&Value::Json(text.to_owned()))
    }

    #[test]
    fn spelling_of_json_does_not_matter() {
        assert_eq!(json(r#"{"b":1,"a":[true,null,"x"]}"#), json(r#"{"a": [true, null, "x"], "b": 1}"#));
        assert_eq!(json("[1e2, -0.0, 1.50]"), json("[100, 0, 1.5]"));
        assert_eq!(json("\"\\u00e9\""), json("\"é\""));
        assert_eq!(json(&format!("1{}", "0".repeat(300))), json("1e300"));
    }

    #[test]
    fn content_of_json_matters() {
        let all = ["1", "\"1\"", "[1]", "[[1]]", "{\"1\":1}", "1.5", "-1", "null", "true", "[1,2]", "[2,1]", "[12]"];
        let mut hashes = all.map(json).to_vec();
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), all.len());
    }

    #[test]
    fn values_of_different_kinds_hash_differently() {
        let all = [
            Value::Null,
            Value::Integer(0),
            Value::Boolean(false),
            Value::Text(String::new()),
            Value::Bytes(Vec::new()),
            Value::Real(0.0),
        ];
        let mut hashes = all.iter().map(hash).collect::<Vec<_>>();
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), all.len());
        assert_eq!(hash(&Value::Real(-0.0)), hash(&Value::Real(0.0)));
    }

    #[test]
    fn what_is_no_json_is_told() {
        let mut hash = Sha256::new();
        assert!(Value::Json(String::from("{a}")).hash(&mut hash).is_err());
    }
}
