//! Scheduled work: jobs that run every so often on one instance at a time.

mod listing;
mod queries;
mod runner;
mod table;

pub use listing::{JobStatus, list_jobs};
pub use runner::{RunOutcome, Runner, run_job};
pub use table::{Job, JobTable};
