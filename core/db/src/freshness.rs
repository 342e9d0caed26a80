//! How fresh a list must be that a standby may answer.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::OnceCell;

use super::cluster::Cluster;

/// How much of the log the primary has on disk: whatever somebody was told of lies in front of that.
const ON_DISK: &str = "SELECT pg_current_wal_flush_lsn()::text";

/// What a standby must have for the answers of one request, asked for when the first of them is read.
#[derive(Default)]
pub(super) struct Freshness {
    on_disk: OnceCell<u64>,
    is_given_up: AtomicBool,
}

impl Freshness {
    /// The position of the log that the standby must have come to.
    pub(super) async fn position(&self, primary: &Cluster) -> Result<u64, sqlx::Error> {
        let asked = self.on_disk.get_or_try_init(async || {
            let told = primary.current().ask(ON_DISK).await?;
            read_position(&told).ok_or_else(|| sqlx::Error::Protocol(format!("`{told}` is no position of a log")))
        });
        asked.await.copied()
    }

    /// Whether the primary has answered something already: what is read after it must not be older.
    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up.load(Ordering::Relaxed)
    }

    /// Has the primary answer from here on.
    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
    }
}

/// A position as PostgreSQL writes it, such as `16/B374D848`.
pub(super) fn read_position(text: &str) -> Option<u64> {
    let (high, low) = text.split_once('/')?;
    let [high, low] = [high, low].map(|half| u32::from_str_radix(half, 16).ok().map(u64::from));
    Some((high? << 32) | low?)
}

#[cfg(test)]
mod tests {
    use super::read_position;

    #[test]
    fn positions_are_compared_as_numbers() {
        assert_eq!(read_position("0/A2625458"), Some(0xA262_5458));
        assert_eq!(read_position("16/B374D848"), Some(0x16_B374_D848));
        assert_eq!(read_position(""), None);
        assert!(read_position("1/0") > read_position("0/FFFFFFFF"));
    }
}
