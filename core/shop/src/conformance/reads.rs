//! Whether the module's statements read of core only what is published: its views `shop_…`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use stoa_kernel::db::{Backend, MigrationSet, Sql};
use stoa_sql::CATALOGUE;

use super::read_tables::tables_read;
use super::report::Report;
use super::rule::Rule;
use super::statements::{tables_of, views_of};
use super::subject::Subject;
use super::writes::is_of;

/// What is core's may change with every release; what is published stays.
pub(super) fn look(subject: &Subject, report: &mut Report) {
    let Some(statements) = statements(subject) else {
        let why = "which statements are the module's is known only to programs that are compiled for development";
        return report.leave_out(Rule::Reads, why);
    };
    let core = OfCore::of(&subject.core_migrations()[0]);
    for sql in statements {
        let read = [sql.sqlite, sql.postgres].into_iter().flat_map(tables_read).collect::<BTreeSet<_>>();
        for name in read.iter().filter(|name| core.tables.contains(*name)) {
            let place = format!("{}:{}", sql.file, sql.line);
            report.breach(Rule::Reads, place, format!("it reads `{name}`"), core.mend(name));
        }
    }
}

/// The module's statements, without those of its tests; none where nobody knows which they are.
pub(super) fn statements(subject: &Subject) -> Option<Vec<Sql>> {
    let folder = Path::new(subject.entry().folder?);
    let of_tests = |file: &Path| file.components().any(|part| part.as_os_str() == "tests");
    let own = CATALOGUE.iter().filter(|sql| is_of(folder, Path::new(sql.file)) && !of_tests(Path::new(sql.file)));
    let mut own = own.copied().collect::<Vec<_>>();
    own.sort_by_key(|sql| (sql.file, sql.line));
    Some(own)
}

/// Core's tables, and its views with the tables that each of them reads.
pub(super) struct OfCore {
    pub(super) tables: BTreeSet<String>,
    views: BTreeMap<String, BTreeSet<String>>,
}

impl OfCore {
    pub(super) fn of(set: &MigrationSet) -> Self {
        Self { tables: tables_of(set), views: views_of(set, Backend::Postgres) }
    }

    pub(super) fn mend(&self, table: &str) -> String {
        let of_table = self.views.iter().filter(|(_, tables)| tables.contains(table)).map(|(view, _)| view.as_str());
        match of_table.collect::<Vec<_>>().as_slice() {
            [] => {
                let all = self.views.keys().map(|view| format!("`{view}`")).collect::<Vec<_>>().join(", ");
                format!("ask core's functions, or listen to its events; published are {all}")
            }
            views => format!("read `{}`, which is published", views.join("` or `")),
        }
    }
}
