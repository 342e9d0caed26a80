//! Nobody is told what was read before it is on disk.
//!
//! On PostgreSQL a transaction can be seen as soon as it has committed, and waits for the disk only then (`shared_flush`). A
//! server that crashes in between takes it back, from those too who have seen it. So whoever reads waits after reading, for
//! nothing at all unless something was committed that is not on disk. A request reads several times and tells once: it
//! waits once, at its end, and not at all when it ends with a commit of its own, behind which everything lies that it has read.

use std::cell::RefCell;

use super::DbError;
use super::shared_flush::{FlushTicket, SharedFlush};

tokio::task_local! {
    /// Got before the first read that is still to be waited for.
    static UNCONFIRMED: RefCell<Option<FlushTicket>>;
}

/// What was read and is not told yet.
#[derive(Default)]
pub struct UnconfirmedReads(Option<FlushTicket>);

impl UnconfirmedReads {
    /// Takes over what was read so far by those who tell at their end, for somebody else who does.
    pub fn collect() -> Self {
        Self(UNCONFIRMED.try_with(RefCell::take).ok().flatten())
    }

    /// Does work that tells at its end what it has read, and returns when that is on disk.
    pub async fn and_by<T>(self, work: impl Future<Output = T>) -> (T, Result<(), DbError>) {
        let told = async {
            let done = work.await;
            (done, Self::collect())
        };
        let (done, unconfirmed) = UNCONFIRMED.scope(RefCell::new(self.0), told).await;
        (done, unconfirmed.wait_until_durable().await)
    }

    /// Returns when it is on disk.
    pub async fn wait_until_durable(self) -> Result<(), DbError> {
        match self.0 {
            Some(ticket) => ticket.wait_until_durable().await,
            None => Ok(()),
        }
    }
}

/// A read that is under way.
pub(super) enum Reading {
    /// Somebody waits for it at its end.
    Noted,
    /// It is told at once.
    Alone(FlushTicket),
}

impl Reading {
    /// To be begun before the statement.
    pub(super) async fn begin(flush: &SharedFlush) -> Result<Self, DbError> {
        if UNCONFIRMED.try_with(|unconfirmed| unconfirmed.borrow().is_some()).unwrap_or(false) {
            return Ok(Self::Noted);
        }
        Ok(Self::of(flush.ticket().await?))
    }

    /// One that was begun with this ticket.
    pub(super) fn of(ticket: FlushTicket) -> Self {
        let mut ticket = Some(ticket);
        let _ = UNCONFIRMED.try_with(|unconfirmed| {
            let mut unconfirmed = unconfirmed.borrow_mut();
            if unconfirmed.is_none() {
                *unconfirmed = ticket.take();
            } else {
                ticket = None;
            }
        });
        ticket.map_or(Self::Noted, Self::Alone)
    }

    /// Returns when what was read may be used.
    pub(super) async fn end(self) -> Result<(), DbError> {
        match self {
            Self::Noted => Ok(()),
            Self::Alone(ticket) => ticket.wait_until_durable().await,
        }
    }
}
