//! Whether both databases understand the module alike: its statements, and the columns of its tables.

use stoa_kernel::clock::Clock;
use stoa_kernel::config::DatabaseUrl;
use stoa_kernel::db::{Db, Missing, OpenOptions, Sql};
use stoa_kernel::random::Random;

use super::queries;
use super::reads::statements;
use super::report::Report;
use super::rule::Rule;
use super::schema::Table;
use super::subject::{Subject, describe};

const NO_SERVER: &str = "no PostgreSQL database was given: name one with `--postgres`";

const NO_SOURCES: &str =
    "which statements are the module's is known only to programs that are compiled for development";

/// Prepares each statement, and compares the tables with those that the same migrations make on PostgreSQL.
pub(super) async fn look(
    subject: &Subject,
    sqlite: &Db,
    tables: &[Table],
    postgres: Option<&DatabaseUrl>,
    report: &mut Report,
) -> Result<(), String> {
    prepare_all(subject, sqlite, report).await;
    let Some(DatabaseUrl::Postgres(url)) = postgres else {
        report.leave_out(Rule::Columns, NO_SERVER);
        if subject.entry().folder.is_some() {
            report.leave_out(Rule::Statements, format!("on PostgreSQL: {NO_SERVER}"));
        }
        return Ok(());
    };
    // A schema of its own: the database may have other tables, and is left as it was.
    let name = format!("stoa_check_{}", Random::system().uuid().simple());
    let admin = open(url.expose()).await?;
    run(&admin, format!("CREATE SCHEMA {name}")).await?;
    let sign = if url.expose().contains('?') { '&' } else { '?' };
    let looked = match open(&format!("{}{sign}options=-csearch_path%3D{name}", url.expose())).await {
        Ok(db) => {
            let looked = look_at_postgres(subject, &db, tables, report).await;
            db.close().await;
            looked
        }
        Err(error) => Err(error),
    };
    run(&admin, format!("DROP SCHEMA {name} CASCADE")).await?;
    admin.close().await;
    looked
}

async fn look_at_postgres(subject: &Subject, db: &Db, tables: &[Table], report: &mut Report) -> Result<(), String> {
    if let Err(error) = db.migrate(&subject.registry().migrations).await {
        let mend = "`stoa migrate` on an empty database has to work";
        report.breach(Rule::Tables, "migrations for postgres", describe(&error), mend);
        return Ok(());
    }
    prepare_all(subject, db, report).await;
    for table in tables.iter().filter(|table| table.is_own) {
        let columns = db.read(queries::POSTGRES_COLUMNS).bind(table.name.as_str()).all::<(String, String)>().await;
        let columns = columns.map_err(|error| describe(&error))?;
        if !columns.is_empty() {
            compare(table, &columns, report);
        }
    }
    Ok(())
}

/// Compares a table on SQLite with its columns and their types on PostgreSQL.
pub(super) fn compare(table: &Table, postgres: &[(String, String)], report: &mut Report) {
    let place = |column: &str| format!("column `{}.{column}`", table.name);
    for column in &table.columns {
        let Some((_, type_name)) = postgres.iter().find(|(name, _)| *name == column.name) else {
            let mend = "make it in the migrations for postgres too";
            report.breach(Rule::Columns, place(&column.name), "only sqlite has it", mend);
            continue;
        };
        let fitting = fitting(&column.kind);
        if !fitting.contains(&type_name.as_str()) {
            let problem = format!("it is {} on sqlite and {type_name} on postgres", column.kind);
            let mend = format!("{} fits {}", column.kind, if fitting.is_empty() { NO_TYPE } else { fitting[0] });
            report.breach(Rule::Columns, place(&column.name), problem, mend);
        }
    }
    for (name, _) in postgres.iter().filter(|(name, _)| !table.has(name)) {
        let mend = "make it in the migrations for sqlite too";
        report.breach(Rule::Columns, place(name), "only postgres has it", mend);
    }
}

const NO_TYPE: &str = "none: take INTEGER, BOOLEAN, TEXT, REAL or BLOB";

/// The types of PostgreSQL that Rust reads the same from, and sorts alike, as from a type of SQLite.
fn fitting(kind: &str) -> &'static [&'static str] {
    match kind {
        "INTEGER" | "BIGINT" => &["bigint"],
        "BOOLEAN" => &["boolean"],
        "TEXT" => &[
            "text COLLATE \"C\"",
            "character varying COLLATE \"C\"",
            "timestamp with time zone",
            "jsonb",
            "json",
            "date",
        ],
        "BLOB" => &["bytea", "uuid"],
        "REAL" => &["double precision"],
        _ => &[],
    }
}

async fn prepare_all(subject: &Subject, db: &Db, report: &mut Report) {
    let Some(statements) = statements(subject) else {
        return report.leave_out(Rule::Statements, NO_SOURCES);
    };
    for sql in statements {
        if let Err(error) = db.prepare(sql).await {
            let place = format!("{}:{}", sql.file, sql.line);
            let problem = format!("{} refuses it: {}", db.backend().as_str(), describe(&error));
            let mend = "write it so that both databases understand it, with the types of the author's guide";
            report.breach(Rule::Statements, place, problem, mend);
        }
    }
}

async fn open(url: &str) -> Result<Db, String> {
    let url = DatabaseUrl::parse(url).ok_or("the address of the PostgreSQL database is none")?;
    let options = OpenOptions::new(url, Missing::Refuse, 3);
    Db::open(&options, Clock::system()).await.map_err(|error| describe(&error))
}

/// A few statements in the life of a program that then ends, or of a test.
async fn run(db: &Db, text: String) -> Result<(), String> {
    let text: &'static str = String::leak(text);
    let sql = Sql::new(text, text, file!(), line!());
    db.write(async |tx| tx.run(sql).execute().await).await.map(drop).map_err(|error| describe(&error))
}
