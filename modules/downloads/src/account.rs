//! Which bytes a counted download has paid for, so that as many files are sent as there are downloads, whatever parts are
//! asked for.
//!
//! A whole file is always a download of its own. A part is paid for by the bytes that counted downloads have left, and by
//! what transfers have not sent that it goes on with: it may begin anywhere in what they have sent, for some of that was lost
//! when they broke off. Such bytes are sent twice, less than a file of them in all, so N downloads never come to N + 1 files.

use std::ops::Range;

/// Of a file, how much may be sent twice in all because transfers broke off: three quarters.
const REPEATED: (u64, u64) = (3, 4);

/// What a grant has left to be sent within the time that an interrupted download can go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Account {
    /// Bytes of the file.
    pub(crate) size: u64,
    /// Bytes of counted downloads that no transfer sends.
    pub(crate) open: u64,
    /// Bytes that were sent twice so far.
    pub(crate) repeated: u64,
    /// Transfers that run, or broke off, the newest first.
    pub(crate) running: Vec<Running>,
}

/// A transfer whose end was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Running {
    pub(crate) id: i64,
    /// Its first byte.
    pub(crate) first: u64,
    /// The byte before which everything may have been sent.
    pub(crate) sent_to: u64,
    /// The byte before which it stops.
    pub(crate) stops_at: u64,
}

/// What a transfer that begins costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Charge {
    /// A download.
    Counted,
    /// Nothing: it goes on with one that was counted.
    Free,
}

/// What is to be written when a transfer begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TransferCharge {
    pub(crate) charge: Charge,
    /// The grant's open bytes afterwards.
    pub(crate) open: u64,
    /// The grant's repeated bytes afterwards.
    pub(crate) repeated: u64,
    /// Where transfers have to stop from now on, by their ids.
    pub(crate) stopped: Vec<(i64, u64)>,
}

impl Account {
    /// What sending these bytes, at least one, costs.
    pub(crate) fn admit(&self, range: &Range<u64>) -> TransferCharge {
        let is_whole = *range == (0..self.size);
        if !is_whole && let Some(admission) = self.go_on(range) {
            return admission;
        }
        let open = self.open + (self.size - length(range));
        TransferCharge { charge: Charge::Counted, open, repeated: self.repeated, stopped: Vec::new() }
    }

    fn go_on(&self, range: &Range<u64>) -> Option<TransferCharge> {
        let wanted = length(range);
        let free = |open, repeated, stopped| Some(TransferCharge { charge: Charge::Free, open, repeated, stopped });
        if let Some(open) = self.open.checked_sub(wanted) {
            return free(open, self.repeated, Vec::new());
        }
        let (mut open, mut lost, mut stopped) = (self.open, 0, Vec::new());
        for transfer in self.running.iter().filter(|transfer| transfer.covers(range.start)) {
            let stop = transfer.sent_to.max(range.start);
            open += transfer.stops_at - stop;
            lost = lost.max(transfer.sent_to.min(range.end).saturating_sub(range.start));
            stopped.push((transfer.id, stop));
        }
        let twice = wanted.saturating_sub(open);
        let repeated = self.repeated + twice;
        let most = self.size / REPEATED.1 * REPEATED.0;
        if stopped.is_empty() || twice > lost || repeated > most {
            return None;
        }
        free(open + twice - wanted, repeated, stopped)
    }
}

impl Running {
    /// Whether a part that begins there goes on with it.
    fn covers(&self, start: u64) -> bool {
        (self.first..=self.stops_at).contains(&start) && (start < self.stops_at || start <= self.sent_to)
    }
}

fn length(range: &Range<u64>) -> u64 {
    range.end - range.start
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: u64 = 1000;

    fn account(open: u64, running: &[(u64, u64, u64)]) -> Account {
        let running = running.iter().zip(1..);
        let running =
            running.map(|(&(first, sent_to, stops_at), id)| Running { id, first, sent_to, stops_at }).collect();
        Account { size: SIZE, open, repeated: 0, running }
    }

    fn free(open: u64, repeated: u64, stopped: &[(i64, u64)]) -> TransferCharge {
        TransferCharge { charge: Charge::Free, open, repeated, stopped: stopped.to_vec() }
    }

    #[test]
    fn a_whole_file_always_counts_and_a_part_pays_for_the_rest() {
        assert_eq!(account(0, &[]).admit(&(0..1000)).charge, Charge::Counted);
        assert_eq!(account(SIZE, &[(0, 10, 1000)]).admit(&(0..1000)).charge, Charge::Counted);
        let part = account(0, &[]).admit(&(1..1000));
        assert_eq!((part.charge, part.open), (Charge::Counted, 1));
        assert_eq!(account(1, &[]).admit(&(0..1)), free(0, 0, &[]));
        assert_eq!(account(1, &[]).admit(&(1..1000)).charge, Charge::Counted);
    }

    #[test]
    fn what_broke_off_goes_on_and_what_was_lost_is_sent_again() {
        // All but what was on its way has come.
        assert_eq!(account(0, &[(0, 600, 1000)]).admit(&(600..1000)), free(0, 0, &[(1, 600)]));
        assert_eq!(account(0, &[(0, 600, 1000)]).admit(&(400..1000)), free(0, 200, &[(1, 600)]));
        // Everything was sent but for the last piece, which nobody has taken.
        assert_eq!(account(0, &[(0, 1000, 1000)]).admit(&(300..1000)), free(0, 700, &[(1, 1000)]));
        assert_eq!(account(0, &[(0, 1000, 1000)]).admit(&(1..1000)).charge, Charge::Counted, "that is too much");
        let again = Account { repeated: 600, ..account(0, &[(0, 600, 1000)]) };
        assert_eq!(again.admit(&(400..1000)).charge, Charge::Counted, "it was sent again often enough");
    }

    #[test]
    fn parts_that_are_fetched_at_once_share_a_download() {
        let first = account(0, &[(0, 100, 1000)]).admit(&(250..500));
        assert_eq!(first, free(500, 0, &[(1, 250)]));
        let rest = account(500, &[(250, 300, 500), (0, 100, 250)]);
        assert_eq!(rest.admit(&(500..1000)), free(0, 0, &[]));
    }

    #[test]
    fn what_was_sent_to_its_end_does_not_go_on() {
        assert_eq!(account(0, &[]).admit(&(500..1000)).charge, Charge::Counted);
        assert_eq!(
            account(0, &[(600, 700, 1000)]).admit(&(0..500)).charge,
            Charge::Counted,
            "it is not what broke off"
        );
        assert_eq!(account(0, &[(0, 100, 250)]).admit(&(200..1000)).charge, Charge::Counted, "nor is what follows");
    }

    #[test]
    fn downloads_never_come_to_one_file_more_whatever_is_asked_for() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..200 {
            let (mut own, mut sent, mut counted, mut next) = (account(0, &[]), 0, 0, 1);
            for _ in 0..100 {
                let start = random(SIZE);
                let range = start..start + 1 + random(SIZE - start);
                let admission = own.admit(&range);
                counted += u64::from(admission.charge == Charge::Counted);
                (own.open, own.repeated) = (admission.open, admission.repeated);
                for (id, stop) in admission.stopped {
                    let transfer = own.running.iter_mut().find(|transfer| transfer.id == id).expect("it runs");
                    assert!((transfer.sent_to..=transfer.stops_at).contains(&stop));
                    transfer.stops_at = stop;
                }
                own.running.insert(0, Running { id: next, first: start, sent_to: start, stops_at: range.end });
                next += 1;
                // Some of the transfers go on, as far as they like and may.
                for transfer in &mut own.running {
                    let more = random(transfer.stops_at - transfer.sent_to + 1);
                    (transfer.sent_to, sent) = (transfer.sent_to + more, sent + more);
                }
                own.running.retain(|transfer| transfer.sent_to < transfer.stops_at || transfer.id % 3 == 0);
                assert!(sent < (counted + 1) * SIZE, "{sent} bytes for {counted} downloads");
            }
        }
    }
}
