//! Waiting for the thread of a SQLite connection, which is done with most statements within microseconds.
//!
//! Going to sleep and being woken costs several times as much as such a statement. So whoever waits lets other threads run
//! for a moment, looks whether the answer is there, and only goes to sleep when it is not.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::thread;

/// How often it looks before it goes to sleep: long enough for an indexed read and short enough that nobody is held up.
const LOOKS: u32 = 16;

/// The outcome of `answer`, which comes from another thread of this process.
pub(super) async fn spin_then_park<F: Future>(answer: F) -> F::Output {
    let mut answer = pin!(answer);
    poll_fn(|cx| {
        for _ in 0..LOOKS {
            if let Poll::Ready(outcome) = answer.as_mut().poll(cx) {
                return Poll::Ready(outcome);
            }
            thread::yield_now();
        }
        answer.as_mut().poll(cx)
    })
    .await
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::spin_then_park;

    #[tokio::test]
    async fn an_answer_that_takes_long_is_slept_for() {
        let (sender, receiver) = oneshot::channel();
        let waiting = tokio::spawn(spin_then_park(receiver));
        // On a runtime of one thread this goes on only when the other gives up its turn.
        tokio::task::yield_now().await;
        sender.send(7).expect("it is waited for");
        assert_eq!(waiting.await.expect("it ends"), Ok(7));
    }
}
