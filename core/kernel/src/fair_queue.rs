//! Permits for work that costs much, given out in turns.
//!
//! Whoever asks for many things at once waits behind their own, not others behind them: the addresses that wait take turns, and
//! when no more can wait, the one that waits for most loses its last.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::http::client_address::rate_limit_key;

/// Permits that several may have at once. Cloning gives the same permits.
#[derive(Clone)]
pub struct FairQueue(Arc<Inner>);

struct Inner {
    /// How many may wait.
    most: usize,
    state: Mutex<State>,
}

struct State {
    /// Permits that nobody has; there are none while somebody waits.
    free: usize,
    waiting: usize,
    /// Those who wait, by address; the first one's turn is next.
    lines: VecDeque<Line>,
}

struct Line {
    address: IpAddr,
    waiting: VecDeque<oneshot::Sender<QueuePermit>>,
}

/// So many wait already that one more would wait too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

impl FairQueue {
    /// So many permits, for which so many may wait.
    pub fn new(permits: usize, most: usize) -> Self {
        let state = State { free: permits, waiting: 0, lines: VecDeque::new() };
        Self(Arc::new(Inner { most, state: Mutex::new(state) }))
    }

    /// Waits for a permit on behalf of an address. IPv6 addresses of one network count as one.
    pub async fn acquire(&self, address: IpAddr) -> Result<QueuePermit, Full> {
        let turn = {
            let mut state = self.0.lock();
            if state.free > 0 {
                state.free -= 1;
                return Ok(QueuePermit(Arc::clone(&self.0)));
            }
            state.enter(rate_limit_key(address), self.0.most)?
        };
        // Whoever loses the place in the line is told by what is dropped.
        turn.await.map_err(|_| Full)
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enter(&mut self, address: IpAddr, most: usize) -> Result<oneshot::Receiver<QueuePermit>, Full> {
        if self.waiting >= most {
            self.forget_gone();
        }
        if self.waiting >= most {
            self.make_room(address)?;
        }
        let (sender, receiver) = oneshot::channel();
        self.waiting += 1;
        match self.lines.iter_mut().find(|line| line.address == address) {
            Some(line) => line.waiting.push_back(sender),
            None => self.lines.push_back(Line { address, waiting: VecDeque::from([sender]) }),
        }
        Ok(receiver)
    }

    /// Takes those out of the lines who have hung up.
    fn forget_gone(&mut self) {
        for line in &mut self.lines {
            line.waiting.retain(|sender| !sender.is_closed());
        }
        self.lines.retain(|line| !line.waiting.is_empty());
        self.waiting = self.lines.iter().map(|line| line.waiting.len()).sum();
    }

    /// Takes the last out of the longest line, unless that of this address would be as long then.
    fn make_room(&mut self, address: IpAddr) -> Result<(), Full> {
        let own = self.lines.iter().find(|line| line.address == address).map_or(0, |line| line.waiting.len());
        let longest = self.lines.iter_mut().max_by_key(|line| line.waiting.len()).ok_or(Full)?;
        if longest.waiting.len() <= own + 1 {
            return Err(Full);
        }
        longest.waiting.pop_back();
        self.waiting -= 1;
        Ok(())
    }

    /// Whoever has waited longest at the address whose turn it is.
    fn next(&mut self) -> Option<oneshot::Sender<QueuePermit>> {
        while let Some(mut line) = self.lines.pop_front() {
            while let Some(sender) = line.waiting.pop_front() {
                self.waiting -= 1;
                if !sender.is_closed() {
                    if !line.waiting.is_empty() {
                        self.lines.push_back(line);
                    }
                    return Some(sender);
                }
            }
        }
        None
    }
}

/// A permit, given to the next one when it is dropped.
pub struct QueuePermit(Arc<Inner>);

impl Drop for QueuePermit {
    fn drop(&mut self) {
        let next = {
            let mut state = self.0.lock();
            let next = state.next();
            if next.is_none() {
                state.free += 1;
            }
            next
        };
        if let Some(next) = next {
            // Whoever hangs up at this moment drops the permit, and it goes on from there.
            drop(next.send(QueuePermit(Arc::clone(&self.0))));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use futures_util::poll;

    use super::*;

    type Turn = Pin<Box<dyn Future<Output = Result<QueuePermit, Full>>>>;

    fn address(number: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, number])
    }

    /// Has an address wait.
    async fn wait(queue: &FairQueue, number: u8) -> Turn {
        let queue = queue.clone();
        let mut turn: Turn = Box::pin(async move { queue.acquire(address(number)).await });
        assert!(poll!(&mut turn).is_pending(), "there is a free permit");
        turn
    }

    fn is_ready(turn: &mut Turn) -> bool {
        futures_util::FutureExt::now_or_never(turn.as_mut()).is_some()
    }

    #[tokio::test]
    async fn addresses_take_turns() {
        let queue = FairQueue::new(1, 100);
        let held = queue.acquire(address(1)).await.expect("it is free");
        let mut flood = Vec::new();
        for _ in 0..3 {
            flood.push(wait(&queue, 1).await);
        }
        let other = wait(&queue, 2).await;
        drop(held);
        let first = flood.remove(0).await.expect("it is the first one's turn");
        drop(first);
        drop(other.await.expect("the other address is next, although two wait longer"));
        for turn in flood {
            drop(turn.await.expect("then the rest"));
        }
        assert_eq!(queue.0.lock().free, 1);
    }

    #[tokio::test]
    async fn a_full_queue_takes_in_whoever_waits_for_less_than_others() {
        let queue = FairQueue::new(1, 3);
        let held = queue.acquire(address(1)).await.expect("it is free");
        let mut flood = Vec::new();
        for _ in 0..3 {
            flood.push(wait(&queue, 1).await);
        }
        assert!(queue.acquire(address(1)).await.is_err(), "it waits for all that can be waited for");
        let other = wait(&queue, 2).await;
        assert!(flood.pop().expect("there are three").await.is_err(), "its last has made room");
        assert!(queue.acquire(address(2)).await.is_err(), "one more would be as many as the other has");
        drop(held);
        let first = flood.remove(0).await.expect("its turn");
        drop(first);
        drop(other.await.expect("the other's turn"));
    }

    #[tokio::test]
    async fn whoever_hangs_up_makes_room_and_loses_no_place() {
        let queue = FairQueue::new(1, 2);
        let held = queue.acquire(address(1)).await.expect("it is free");
        let (gone, mut stays) = (wait(&queue, 1).await, wait(&queue, 2).await);
        drop(gone);
        let mut another = wait(&queue, 1).await;
        drop(held);
        assert!(is_ready(&mut stays));
        drop(stays);
        assert!(is_ready(&mut another));
        drop(another);
        let state = queue.0.lock();
        assert_eq!((state.free, state.waiting), (1, 0));
    }

    #[tokio::test]
    async fn a_network_is_one_address() {
        let queue = FairQueue::new(0, 3);
        let mut turns = Vec::new();
        for last in 1..=3_u16 {
            let queue = queue.clone();
            let own = IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, last]);
            let mut turn: Turn = Box::pin(async move { queue.acquire(own).await });
            assert!(poll!(&mut turn).is_pending());
            turns.push(turn);
        }
        assert_eq!(queue.0.lock().lines.len(), 1);
    }
}
