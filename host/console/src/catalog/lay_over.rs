//! Laying what was typed over what is stored, by the writer that imports and the command line use.

use stoa_core::catalog::Record;
use stoa_core::catalog::write::{CatalogWriter, Change, Expected, Mode, RecordProblem, WriteCatalogError};
use stoa_core::db::Db;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::module::ProductModules;

use crate::form::Problem;

/// What became of a record, or what is wrong with it.
pub(super) async fn lay_over(
    db: &Db,
    modules: &ProductModules,
    record: &Record,
    mode: Mode,
    expected: Expected,
) -> ApiResult<Result<Change, Vec<Problem>>> {
    let mut writer = CatalogWriter::new(db, modules, mode).expecting(expected);
    let outcome = writer.write(std::slice::from_ref(record)).await.map_err(failed)?.pop();
    let told = |problem: RecordProblem| Problem::new(problem.member, problem.reason);
    Ok(match outcome {
        None => Ok(Change::Unchanged),
        Some(outcome) => outcome.map_err(|problems| problems.into_iter().map(told).collect()),
    })
}

/// Why nothing was written. What a database could do a moment later is tried again by whoever answers.
pub(super) fn failed(error: WriteCatalogError) -> ApiError {
    match error {
        WriteCatalogError::Db(error) => error.into(),
        WriteCatalogError::Listener(error) => error.into(),
    }
}
