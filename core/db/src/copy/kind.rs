//! What kind of value a column holds, whichever database declares it.

/// What kind of value a column holds.
///
/// SQLite has fewer types than PostgreSQL: it keeps times, JSON and dates as text. So the kind of a column is taken from
/// PostgreSQL where one of two databases is PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Real,
    Boolean,
    Text,
    Bytes,
    Time,
    Date,
    Uuid,
    Json,
}

impl Kind {
    /// The kind of a type that PostgreSQL names so in its catalog (`pg_type.typname`).
    pub(super) fn of_postgres(name: &str) -> Option<Self> {
        Some(match name {
            "int2" | "int4" | "int8" => Self::Integer,
            "float4" | "float8" => Self::Real,
            "bool" => Self::Boolean,
            "text" | "varchar" | "bpchar" => Self::Text,
            "bytea" => Self::Bytes,
            "timestamptz" => Self::Time,
            "date" => Self::Date,
            "uuid" => Self::Uuid,
            "json" | "jsonb" => Self::Json,
            _ => return None,
        })
    }

    /// The kind of a type as a table of SQLite declares it.
    pub(super) fn of_sqlite(declared: &str) -> Option<Self> {
        Some(match declared.to_ascii_uppercase().as_str() {
            "INTEGER" | "BIGINT" | "INT" => Self::Integer,
            "REAL" | "DOUBLE" | "DOUBLE PRECISION" => Self::Real,
            "BOOLEAN" => Self::Boolean,
            "TEXT" => Self::Text,
            "BLOB" => Self::Bytes,
            _ => return None,
        })
    }

    /// The type that PostgreSQL is asked to turn a column into when it is read; none when it is that already.
    pub(super) fn read_as(self) -> Option<&'static str> {
        match self {
            Self::Integer => Some("BIGINT"),
            Self::Real => Some("DOUBLE PRECISION"),
            Self::Text | Self::Json => Some("TEXT"),
            Self::Boolean | Self::Bytes | Self::Time | Self::Date | Self::Uuid => None,
        }
    }

    /// The type of what is bound when a column is written to PostgreSQL.
    pub(super) fn written_as(self) -> &'static str {
        match self {
            Self::Integer => "BIGINT",
            Self::Real => "DOUBLE PRECISION",
            Self::Boolean => "BOOLEAN",
            Self::Text | Self::Json => "TEXT",
            Self::Bytes => "BYTEA",
            Self::Time => "TIMESTAMPTZ",
            Self::Date => "DATE",
            Self::Uuid => "UUID",
        }
    }
}
