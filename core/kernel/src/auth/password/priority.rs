//! How much of the core a thread that hashes passwords gets.

/// What a thread gets beside the others that want the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Priority {
    /// What nobody else wants, given back the moment that somebody does.
    Leftover,
    /// About a tenth of a core while everything else is busy, and more when it is not.
    Little,
    /// As much as any other thread.
    Usual,
}

impl Priority {
    /// Has the system treat this thread so from now on.
    ///
    /// There is no way back from [`Leftover`](Self::Leftover) without special rights.
    #[cfg(target_os = "linux")]
    pub(super) fn apply(self) {
        use thread_priority::unix::{
            NormalThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy, thread_native_id,
        };
        use thread_priority::{ThreadPriority, ThreadPriorityValue};

        /// Of 100, where 50 is usual.
        const LITTLE: u8 = 25;

        let (policy, priority) = match self {
            Self::Leftover => (NormalThreadSchedulePolicy::Idle, ThreadPriority::Min),
            Self::Little => (
                NormalThreadSchedulePolicy::Batch,
                ThreadPriorityValue::try_from(LITTLE).map_or(ThreadPriority::Min, ThreadPriority::Crossplatform),
            ),
            Self::Usual => return,
        };
        let policy = ThreadSchedulePolicy::Normal(policy);
        if let Err(error) = set_thread_priority_and_policy(thread_native_id(), priority, policy) {
            // Hashing works all the same; it only holds others up.
            tracing::debug!(%error, "passwords are hashed at the usual priority");
        }
    }

    /// Elsewhere every thread has the usual priority.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "it has the same shape on every system")]
    pub(super) fn apply(self) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::thread;

    use thread_priority::unix::{NormalThreadSchedulePolicy as Normal, ThreadSchedulePolicy, thread_schedule_policy};

    use super::Priority;

    #[test]
    fn the_system_knows_what_a_thread_gets() {
        for (priority, policy) in
            [(Priority::Leftover, Normal::Idle), (Priority::Little, Normal::Batch), (Priority::Usual, Normal::Other)]
        {
            let taken = thread::spawn(move || {
                priority.apply();
                thread_schedule_policy()
            });
            assert_eq!(taken.join().expect("it runs"), Ok(ThreadSchedulePolicy::Normal(policy)), "{priority:?}");
        }
    }
}
