//! The module's tables.

use std::collections::BTreeSet;

use stoa_kernel::db::{Backend, Db};

use super::queries;
use super::report::Report;
use super::rule::Rule;
use super::statements::{Touched, tables_after, touched};
use super::subject::{Subject, describe};

/// A column of a table.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: String,
    /// Whether a row must give it a value.
    pub(super) required: i64,
}

/// A column that refers to a row of another table.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Reference {
    pub(super) column: String,
    pub(super) table: String,
}

/// A table of the new database.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: String,
    /// The statement that made it.
    pub(super) sql: String,
    pub(super) columns: Vec<Column>,
    /// Columns that refer to rows of another table.
    pub(super) parents: Vec<Reference>,
    /// Whether it is the module's.
    pub(super) is_own: bool,
}

impl Table {
    pub(super) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known.name == column)
    }

    /// Whether its rows belong to a customer, by themselves or through an order.
    pub(super) fn is_personal(&self) -> bool {
        self.is_own && queries::OWNERS.iter().any(|(column, _)| self.has(column))
    }

    /// The table that a column refers to, by a foreign key or by its name.
    pub(super) fn referred_by(&self, column: &str) -> Option<&str> {
        let declared = self.parents.iter().find(|reference| reference.column == column);
        let declared = declared.map(|reference| reference.table.as_str());
        declared.or_else(|| {
            let (_, table) = queries::OWNERS.iter().find(|(owner, _)| self.is_own && *owner == column)?;
            Some(*table)
        })
    }
}

/// Applies all migrations to a new database, and looks at what they did. None if that failed.
pub(super) async fn look(subject: &Subject, db: &Db, report: &mut Report) -> Result<Option<Vec<Table>>, String> {
    db.migrate(subject.core_migrations()).await.map_err(|error| describe(&error))?;
    let before = names(db).await?;
    let Some(set) = subject.migrations() else { return Ok(Some(tables(db, &before).await?)) };
    for backend in [Backend::Sqlite, Backend::Postgres] {
        for (version, text) in set.texts(backend) {
            look_at_text(subject.name(), &format!("migration {version:04} for {}", backend.as_str()), text, report);
        }
    }
    if let Err(error) = db.migrate(&subject.registry().migrations).await {
        let mend = "`stoa migrate` on an empty database has to work";
        report.breach(Rule::Tables, "migrations for sqlite", describe(&error), mend);
        return Ok(None);
    }
    let tables = tables(db, &before).await?;
    let own = tables.iter().filter(|table| table.is_own).map(|table| table.name.clone()).collect::<BTreeSet<_>>();
    let postgres = tables_after(set.texts(Backend::Postgres).map(|(_, text)| text));
    for (only, on, other) in
        [(own.difference(&postgres), "sqlite", "postgres"), (postgres.difference(&own), "postgres", "sqlite")]
    {
        for table in only {
            let mend = format!("make it in the migrations for {other} too");
            report.breach(Rule::Tables, format!("table `{table}`"), format!("only {on} has it"), mend);
        }
    }
    for table in tables.iter().filter(|table| table.is_own) {
        let referred = table.parents.iter().map(|reference| &reference.table);
        for parent in referred.filter(|parent| !tables.iter().any(|known| known.name == **parent)) {
            let mend = "refer to tables of core or of the module only";
            report.breach(Rule::Tables, format!("table `{}`", table.name), format!("it refers to `{parent}`"), mend);
        }
    }
    Ok(Some(tables))
}

/// Tables of core's to which migrations of modules add: what their customers had used before units were counted one by one, and
/// what waited in tables of their own before it was in the queue.
const FILLED_BY_ALL: [&str; 2] = ["unit_uses", "tasks"];

/// What a migration does to tables that are not the module's.
pub(super) fn look_at_text(module: &str, place: &str, text: &str, report: &mut Report) {
    let prefix = format!("{module}_");
    for Touched { what, name } in touched(text) {
        let fills = what == ["INSERT", "INTO"] && FILLED_BY_ALL.contains(&name.as_str());
        if !name.starts_with(&prefix) && !fills {
            let mend = format!("names of the module's tables and indexes begin with `{prefix}`; leave others alone");
            report.breach(Rule::Tables, place, format!("it has `{} {name}`", what.join(" ")), mend);
        }
    }
    if text.to_ascii_lowercase().contains("deferrable") {
        let mend = "take `DEFERRABLE` away: SQLite checks it with the commit, which other writes share";
        report.breach(Rule::Tables, place, "it defers a constraint", mend);
    }
}

/// Tables that name customers come with listeners that erase and tell what is in them.
pub(super) fn look_for_persons(subject: &Subject, tables: &[Table], report: &mut Report) {
    let named = tables.iter().filter(|table| table.is_own && (table.has("customer_id") || table.has("user_id")));
    let named = named.map(|table| format!("`{}`", table.name)).collect::<Vec<_>>();
    if named.is_empty() {
        return;
    }
    let events = &subject.description().events;
    let personal = "say how it is erased and exported: `cx.personal_data(…)`";
    for (event, mend) in [
        ("CustomerAnonymizing", personal),
        ("CustomerAnonymized", personal),
        ("GuestClaiming", "hand over what guests have: `cx.claims_from_guests(…)`"),
        ("CustomerExporting", personal),
    ] {
        if !events.iter().any(|(listened, _)| *listened == event) {
            let place = format!("table {}", named.join(", "));
            report.breach(Rule::Personal, place, format!("it names customers, and nothing listens to {event}"), mend);
        }
    }
}

async fn names(db: &Db) -> Result<BTreeSet<String>, String> {
    let tables = db.read(queries::TABLES).all::<(String, String)>().await.map_err(|error| describe(&error))?;
    Ok(tables.into_iter().map(|(name, _)| name).collect())
}

async fn tables(db: &Db, of_core: &BTreeSet<String>) -> Result<Vec<Table>, String> {
    let mut tables = Vec::new();
    for (name, sql) in db.read(queries::TABLES).all::<(String, String)>().await.map_err(|error| describe(&error))? {
        let columns = db.read(queries::COLUMNS).bind(name.as_str()).all().await.map_err(|error| describe(&error))?;
        let parents = db.read(queries::PARENTS).bind(name.as_str()).all().await.map_err(|error| describe(&error))?;
        let is_own = !of_core.contains(&name);
        tables.push(Table { name, sql, columns, parents, is_own });
    }
    Ok(tables)
}
