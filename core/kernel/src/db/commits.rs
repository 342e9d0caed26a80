//! Whether a request has written anything that may hold.

use std::cell::Cell;

tokio::task_local! {
    static HAS_COMMITTED: Cell<bool>;
}

/// Does work, and returns whether it has begun to commit anything.
pub(crate) async fn watching_commits<T>(work: impl Future<Output = T>) -> (T, bool) {
    let watched = async {
        let done = work.await;
        (done, HAS_COMMITTED.with(Cell::get))
    };
    HAS_COMMITTED.scope(Cell::new(false), watched).await
}

/// Notes that a commit begins, for whoever watches.
pub(super) fn note_commit() {
    // Nobody watches outside of requests that write.
    let _ = HAS_COMMITTED.try_with(|has_committed| has_committed.set(true));
}
