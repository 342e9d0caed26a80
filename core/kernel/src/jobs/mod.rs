//! Scheduled work: jobs that run every so often on one instance at a time. Each is a task of the queue that comes again.

mod by_hand;
mod listing;
mod table;

pub use by_hand::{RunOutcome, run_job};
pub use listing::{JobStatus, list_jobs};
pub use table::{Job, JobTable};
