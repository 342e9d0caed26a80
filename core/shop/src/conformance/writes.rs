//! Whether the module's statements keep to its own tables.

use std::path::Path;

use stoa_sql::CATALOGUE;

use super::report::Report;
use super::rule::Rule;
use super::statements::{Touched, touched};
use super::subject::Subject;

/// Whatever is written is the module's; what is core's is changed by core's functions, which keep its promises.
pub(super) fn look(subject: &Subject, report: &mut Report) {
    let Some(folder) = subject.entry().folder else {
        let why = "which statements are the module's is known only to programs that are compiled for development";
        return report.leave_out(Rule::Writes, why);
    };
    let prefix = format!("{}_", subject.name());
    for sql in CATALOGUE.iter().filter(|sql| is_of(Path::new(folder), Path::new(sql.file))) {
        for Touched { what, name } in [sql.sqlite, sql.postgres].into_iter().flat_map(touched) {
            if !name.starts_with(&prefix) {
                let place = format!("{}:{}", sql.file, sql.line);
                let mend = "write to tables of the module only, and change what is core's with core's functions";
                report.breach(Rule::Writes, place, format!("it has `{} {name}`", what.join(" ")), mend);
            }
        }
    }
}

/// Whether a source file belongs to the crate in this folder. The compiler names files from the root of the workspace on, or
/// by their whole path.
pub(super) fn is_of(folder: &Path, file: &Path) -> bool {
    let krate = file.ancestors().find(|path| path.file_name().is_some_and(|name| name == "src" || name == "tests"));
    let krate = krate.and_then(Path::parent);
    krate.is_some_and(|krate| if krate.is_absolute() { folder == krate } else { folder.ends_with(krate) })
}
