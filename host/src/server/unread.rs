//! What is left of a request body that nobody reads.
//!
//! Who refuses a request need not have read it, and hyper then closes the connection, unless the rest was there already. A
//! client that sends head and body apart would find the connection closed or not, as it happens, and lose the next request
//! that it sends on it. So the rest is read here, as long as that is little.

use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::{Body as _, Incoming};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// More than any usual request has; to read more than that costs more than a new connection.
const MOST: usize = 64 * 1024;

/// Whether the rest of a body is known to be little. Behind an answer to any other the connection is closed, which the answer
/// says.
pub(super) fn is_little(rest: &Incoming) -> bool {
    rest.size_hint().upper().is_some_and(|length| length <= MOST as u64)
}

/// Reads the rest of a body beside everything else, for no longer than `limit`.
pub(super) fn swallow(rest: Incoming, limit: Duration) {
    // There is none while the runtime ends.
    let Ok(runtime) = Handle::try_current() else { return };
    runtime.spawn(async move {
        let mut rest = Limited::new(rest, MOST);
        let to_its_end = async { while let Some(Ok(_)) = rest.frame().await {} };
        // After that, hyper closes the connection.
        let _ = timeout(limit, to_its_end).await;
    });
}
