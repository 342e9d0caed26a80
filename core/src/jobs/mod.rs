//! Scheduled work: jobs that run every so often on one instance at a time.

mod queries;
mod runner;
mod table;

pub use runner::{JobStatus, RunOutcome, Runner, run_job};
pub use table::{Job, JobTable};
