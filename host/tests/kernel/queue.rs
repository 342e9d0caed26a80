//! Work after the commit: lanes that do not wait for each other, what is done in order, and what becomes of it when a worker ends.

use std::time::Duration;

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::queue::{BackOff, HandleTask, Lane, Queue, Task, TaskError};
use stoa_core::testing::{TestDatabase, TestShop, both_databases};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::recorder::Recorder;

const SLOW: Lane = Lane::new("slow", 2, "walker");
const QUICK: Lane = Lane::new("quick", 4, "runner");

const LINE: Lane = Lane::new("line", 4, "look").abreast(2);

const ATTEMPTS: Sql = sql!("SELECT attempts FROM tasks WHERE lane = $1 ORDER BY id");
const ERRORS: Sql = sql!("SELECT state || ': ' || last_error FROM tasks WHERE lane = $1 ORDER BY id");
const DIED_OFTEN: Sql = sql!("UPDATE tasks SET attempts = 3, lease = 'dead' WHERE lane = 'quick'");

/// Waits at the gate of its recorder.
#[derive(Serialize, Deserialize)]
struct Walk {
    recorder: u64,
}

impl Task for Walk {
    const KIND: &'static str = "sport.walk";
    const LANE: Lane = SLOW;
}

/// Writes its number down, and fails where that is asked for until somebody writes "repaired".
#[derive(Serialize, Deserialize)]
struct Run {
    recorder: u64,
    number: u32,
    track: Option<u32>,
    fails: bool,
}

impl Task for Run {
    const KIND: &'static str = "sport.run";
    const LANE: Lane = QUICK;

    fn order_key(&self) -> Option<String> {
        self.track.map(|track| format!("track:{track}"))
    }
}

/// Is looked at each hour until somebody writes "dry", and each day while somebody has written "rain". Whoever looks waits at the
/// gate of its recorder once somebody has written "gate".
#[derive(Serialize, Deserialize)]
struct Dry {
    recorder: u64,
    towel: i64,
}

impl Task for Dry {
    const KIND: &'static str = "sport.dry";
    const LANE: Lane = LINE;

    fn subject(&self) -> Option<i64> {
        Some(self.towel)
    }
}

struct Sport;

impl HandleTask<Dry> for Sport {
    type Uses = Db;

    const RETRY: BackOff = BackOff::minutes(&[]);

    async fn handle(&self, task: &Dry, db: &Db) -> Result<(), TaskError> {
        let recorder = Recorder::of(task.recorder);
        let has = |word: &str| recorder.lines().iter().any(|line| line == word);
        recorder.note("looked");
        if has("gate") {
            recorder.pass_gate().await;
        }
        match (has("dry"), has("rain")) {
            (true, _) => Ok(()),
            (false, true) => Err(TaskError::LaterAt(String::from("it rains"), db.now() + TimeDelta::days(1))),
            (false, false) => Err(TaskError::NotYet(db.now() + TimeDelta::hours(1))),
        }
    }
}

impl HandleTask<Walk> for Sport {
    type Uses = ();

    const RETRY: BackOff = BackOff::USUAL;

    async fn handle(&self, task: &Walk, (): &()) -> Result<(), TaskError> {
        Recorder::of(task.recorder).pass_gate().await;
        Ok(())
    }
}

impl HandleTask<Run> for Sport {
    type Uses = ();

    const RETRY: BackOff = BackOff::minutes(&[1, 5]);

    async fn handle(&self, task: &Run, (): &()) -> Result<(), TaskError> {
        let recorder = Recorder::of(task.recorder);
        if task.fails && !recorder.lines().iter().any(|line| line == "repaired") {
            return Err(TaskError::Later(String::from("a shoelace is torn")));
        }
        recorder.note(task.number.to_string());
        Ok(())
    }
}

impl Module for Sport {
    const NAME: &'static str = "sport";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.task::<Walk>(Sport);
        cx.task::<Run>(Sport);
        cx.task::<Dry>(Sport);
        Ok(())
    }
}

async fn shop(backend: Backend) -> TestShop {
    TestShop::builder(backend).module::<Sport>().open().await
}

async fn enqueue(shop: &TestShop, task: &impl Task) {
    shop.parts.db.write(async |tx| tx.enqueue(task)).await.expect("it commits");
}

fn run(recorder: &Recorder, number: u32) -> Run {
    Run { recorder: recorder.number(), number, track: None, fails: false }
}

async fn attempts(shop: &TestShop, lane: Lane) -> Vec<i64> {
    shop.parts.db.read(ATTEMPTS).bind(lane.name).scalars().await.expect("tasks can be read")
}

/// A runner beside the test, and what stops it.
fn start(shop: &TestShop) -> (CancellationToken, JoinHandle<()>) {
    let (stop, runner) = (CancellationToken::new(), shop.runner());
    (stop.clone(), tokio::spawn(runner.run(stop)))
}

async fn end(stop: CancellationToken, running: JoinHandle<()>) {
    stop.cancel();
    let ended = tokio::time::timeout(Duration::from_secs(20), running).await;
    ended.expect("it ends within the time").expect("it does not panic");
}

/// Waits until something is true of a recorder's lines.
async fn wait_for(recorder: &Recorder, is_there: impl Fn(&[String]) -> bool) {
    let waited = tokio::time::timeout(Duration::from_secs(20), async {
        while !is_there(&recorder.lines()) {
            tokio::task::yield_now().await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("it happens within the time: {:?}", recorder.lines()));
}

both_databases!(a_lane_in_which_everything_hangs_holds_no_other_up);
async fn a_lane_in_which_everything_hangs_holds_no_other_up(backend: Backend) {
    let (shop, slow, quick) = (shop(backend).await, Recorder::new(), Recorder::new());
    let (stop, running) = start(&shop);
    for _ in 0..5 {
        enqueue(&shop, &Walk { recorder: slow.number() }).await;
    }
    slow.somebody_arrived().await;
    slow.somebody_arrived().await;
    for number in 0..20 {
        enqueue(&shop, &run(&quick, number)).await;
    }
    wait_for(&quick, |lines| lines.len() == 20).await;
    assert_eq!(attempts(&shop, SLOW).await, [1, 1, 0, 0, 0], "a lane does so many at once as it says");
    for _ in 0..5 {
        slow.open_gate();
    }
    for _ in 0..5 {
        slow.somebody_left().await;
    }
    end(stop, running).await;
    assert_eq!(attempts(&shop, SLOW).await, [0_i64; 0]);
}

both_databases!(what_has_one_order_key_is_done_in_order_and_nothing_else_waits_for_it);
async fn what_has_one_order_key_is_done_in_order_and_nothing_else_waits_for_it(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    let on_track = |number, track, fails| Run { track: Some(track), fails, ..run(&recorder, number) };
    for task in [on_track(1, 7, true), on_track(2, 7, false), on_track(3, 8, false), on_track(4, 7, false)] {
        enqueue(&shop, &task).await;
    }
    let queue = shop.uses::<Queue>();
    assert_eq!(queue.drain(QUICK).await.expect("the database is reached"), 1);
    assert_eq!(recorder.lines(), ["3"], "the first of track 7 has failed, and those behind it wait");
    recorder.note("repaired");
    assert_eq!(queue.drain(QUICK).await.expect("the database is reached"), 0, "it is not due yet");
    shop.advance(TimeDelta::minutes(1));
    assert_eq!(queue.drain(QUICK).await.expect("the database is reached"), 3);
    assert_eq!(recorder.lines(), ["3", "repaired", "1", "2", "4"]);
}

both_databases!(what_was_given_up_holds_up_nothing_behind_it);
async fn what_was_given_up_holds_up_nothing_behind_it(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    let on_track = |number, fails| Run { track: Some(7), fails, ..run(&recorder, number) };
    enqueue(&shop, &on_track(1, true)).await;
    enqueue(&shop, &on_track(2, false)).await;
    let queue = shop.uses::<Queue>();
    for minutes in [0, 1, 5] {
        assert_eq!(recorder.lines(), [""; 0]);
        shop.advance(TimeDelta::minutes(minutes));
        queue.drain(QUICK).await.expect("the database is reached");
    }
    assert_eq!(recorder.lines(), ["2"]);
    let errors = shop.parts.db.read(ERRORS).bind(QUICK.name).scalars::<String>().await.expect("tasks can be read");
    assert_eq!(errors, ["failed: a shoelace is torn"]);
}

both_databases!(a_runner_that_stops_gives_back_what_it_does_and_counts_no_attempt);
async fn a_runner_that_stops_gives_back_what_it_does_and_counts_no_attempt(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    let (stop, running) = start(&shop);
    enqueue(&shop, &Walk { recorder: recorder.number() }).await;
    recorder.somebody_arrived().await;
    end(stop, running).await;
    assert_eq!(attempts(&shop, SLOW).await, [0]);
    // Not after a lease: at once.
    let (stop, running) = start(&shop);
    recorder.somebody_arrived().await;
    recorder.open_gate();
    recorder.somebody_left().await;
    end(stop, running).await;
    assert_eq!(attempts(&shop, SLOW).await, [0_i64; 0]);
}

both_databases!(two_workers_do_each_task_once);
async fn two_workers_do_each_task_once(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let one = TestShop::builder(backend).on(&database).module::<Sport>().open().await;
    let other = TestShop::builder(backend).on(&database).clock(&one.clock).seed(2).module::<Sport>().open().await;
    let recorder = Recorder::new();
    for number in 0..60 {
        enqueue(&one, &Run { track: Some(number % 7), ..run(&recorder, number) }).await;
    }
    let workers = [&one, &other, &one, &other].map(|shop| {
        let queue = shop.uses::<Queue>();
        tokio::spawn(async move { queue.drain(QUICK).await.expect("the database is reached") })
    });
    for worker in workers {
        worker.await.expect("the task ends");
    }
    // Whoever found the rest of a track taken has left; what they left is still there.
    one.uses::<Queue>().drain(QUICK).await.expect("the database is reached");
    let numbers = recorder.lines().iter().map(|line| line.parse::<u32>().expect("a number")).collect::<Vec<_>>();
    for track in 0..7 {
        let done = numbers.iter().copied().filter(|number| number % 7 == track).collect::<Vec<_>>();
        let expected = (0..60).filter(|number| number % 7 == track).collect::<Vec<_>>();
        assert_eq!(done, expected, "in the order in which they were written, each once");
    }
}

both_databases!(what_whoever_tried_it_died_over_each_time_is_given_up);
async fn what_whoever_tried_it_died_over_each_time_is_given_up(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    enqueue(&shop, &run(&recorder, 1)).await;
    let died = shop.parts.db.write(async |tx| tx.run(DIED_OFTEN).execute().await).await;
    assert_eq!(died.expect("it is changed"), 1);
    assert_eq!(shop.uses::<Queue>().drain(QUICK).await.expect("the database is reached"), 0);
    assert_eq!(recorder.lines(), [""; 0]);
    let errors = shop.parts.db.read(ERRORS).bind(QUICK.name).scalars::<String>().await.expect("tasks can be read");
    assert_eq!(errors, ["failed: whoever tried it died over it each time"]);
}

/// Counts the looks of each drain, an hour after the other.
async fn hourly_looks(shop: &TestShop, recorder: &Recorder, hours: usize) -> Vec<usize> {
    let mut looks = Vec::new();
    for _ in 0..hours {
        let before = recorder.lines().len();
        shop.uses::<Queue>().drain(LINE).await.expect("it is worked off");
        looks.push(recorder.lines().len() - before);
        shop.advance(TimeDelta::hours(1));
    }
    looks
}

both_databases!(what_is_due_at_a_time_is_done_then_and_says_when_it_comes_again);
async fn what_is_due_at_a_time_is_done_then_and_says_when_it_comes_again(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    let towel = Dry { recorder: recorder.number(), towel: 1 };
    let at = shop.now() + TimeDelta::hours(2);
    shop.parts.db.write(async |tx| tx.enqueue_at(&towel, at).await).await.expect("it commits");
    assert_eq!(hourly_looks(&shop, &recorder, 5).await, [0, 0, 1, 1, 1], "it has waited, and then comes each hour");
    assert_eq!(attempts(&shop, LINE).await, [0], "to come again spends no attempt");
    recorder.note("rain");
    assert_eq!(hourly_looks(&shop, &recorder, 26).await.iter().sum::<usize>(), 2, "it has failed, and is not given up");
    let error = shop.parts.db.read(ERRORS).bind("line").scalars::<String>().await.expect("it can be read");
    assert_eq!(error, ["pending: it rains"]);
    // Whoever knows better says when.
    shop.parts.db.write(async |tx| tx.enqueue_at(&towel, tx.now()).await).await.expect("it commits");
    recorder.note("dry");
    assert_eq!(hourly_looks(&shop, &recorder, 2).await, [1, 0]);
    assert_eq!(attempts(&shop, LINE).await, [0_i64; 0]);
}

fn looks(recorder: &Recorder) -> usize {
    recorder.lines().iter().filter(|line| *line == "looked").count()
}

both_databases!(what_is_enqueued_anew_while_it_is_being_done_is_done_again);
async fn what_is_enqueued_anew_while_it_is_being_done_is_done_again(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    let towel = Dry { recorder: recorder.number(), towel: 1 };
    let look =
        async || shop.parts.db.write(async |tx| tx.enqueue_at(&towel, tx.now()).await).await.expect("it commits");
    recorder.note("gate");
    recorder.note("dry");
    let (stop, running) = start(&shop);
    look().await;
    recorder.somebody_arrived().await;
    look().await;
    recorder.open_gate();
    // Without anything else that would wake the runner.
    recorder.somebody_arrived().await;
    recorder.open_gate();
    end(stop, running).await;
    assert_eq!((looks(&recorder), attempts(&shop, LINE).await), (2, vec![]), "and then it is done");

    // It is the same without a runner, and where the last look has left something to do.
    let towel = Dry { recorder: recorder.number(), towel: 2 };
    let wet = Recorder::new();
    let wet_towel = Dry { recorder: wet.number(), towel: 3 };
    wet.note("gate");
    for towel in [&towel, &wet_towel] {
        shop.parts.db.write(async |tx| tx.enqueue_at(towel, tx.now()).await).await.expect("it commits");
    }
    let queue = shop.uses::<Queue>();
    let drained = tokio::spawn(async move { queue.drain(LINE).await.expect("the database is reached") });
    for recorder in [&recorder, &wet] {
        recorder.somebody_arrived().await;
    }
    for towel in [&towel, &wet_towel] {
        shop.parts.db.write(async |tx| tx.enqueue_at(towel, tx.now()).await).await.expect("it commits");
    }
    for recorder in [&recorder, &wet] {
        (0..2).for_each(|_| recorder.open_gate());
    }
    drained.await.expect("the task ends");
    assert_eq!((looks(&recorder), looks(&wet)), (4, 2));
    assert_eq!(attempts(&shop, LINE).await, [0], "the wet one comes in an hour");
}

both_databases!(what_is_taken_out_while_it_is_being_done_does_not_come_again);
async fn what_is_taken_out_while_it_is_being_done_does_not_come_again(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    let towel = Dry { recorder: recorder.number(), towel: 1 };
    recorder.note("gate");
    recorder.note("dry");
    shop.parts.db.write(async |tx| tx.enqueue_at(&towel, tx.now()).await).await.expect("it commits");
    let queue = shop.uses::<Queue>();
    let drained = tokio::spawn(async move { queue.drain(LINE).await.expect("the database is reached") });
    recorder.somebody_arrived().await;
    let changed = shop.parts.db.write(async |tx| -> Result<(), DbError> {
        tx.enqueue_at(&towel, tx.now()).await?;
        tx.dequeue::<Dry>(1).await
    });
    changed.await.expect("it commits");
    recorder.open_gate();
    drained.await.expect("the task ends");
    assert_eq!((looks(&recorder), attempts(&shop, LINE).await), (1, vec![]));
}

both_databases!(one_task_is_done_now_without_the_others_of_its_lane_unless_it_is_to_wait);
async fn one_task_is_done_now_without_the_others_of_its_lane_unless_it_is_to_wait(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    let towels = [1, 2, 3].map(|towel| Dry { recorder: recorder.number(), towel });
    let written = shop.parts.db.write(async |tx| -> Result<(), DbError> {
        let now = tx.now();
        for (towel, due_at) in towels.iter().zip([now, now, now + TimeDelta::hours(1)]) {
            tx.enqueue_at(towel, due_at).await?;
        }
        Ok(())
    });
    written.await.expect("it commits");
    recorder.note("dry");
    let queue = shop.uses::<Queue>();
    for (towel, expected) in [(2, 1), (3, 1), (9, 1), (1, 2)] {
        queue.do_now::<Dry>(towel).await.expect("the database is reached");
        assert_eq!(looks(&recorder), expected, "towel {towel}");
    }
    assert_eq!(attempts(&shop, LINE).await, [0], "the one of later is left");
}

both_databases!(what_waits_for_its_time_can_be_taken_out_and_a_clock_that_was_ahead_hides_nothing);
async fn what_waits_for_its_time_can_be_taken_out_and_a_clock_that_was_ahead_hides_nothing(backend: Backend) {
    let (shop, recorder, years) = (shop(backend).await, Recorder::new(), TimeDelta::days(3 * 365));
    let towels = [1, 2].map(|towel| Dry { recorder: recorder.number(), towel });
    shop.advance(years);
    let written = shop.parts.db.write(async |tx| -> Result<(), DbError> {
        for towel in &towels {
            let at = tx.now() + TimeDelta::hours(1);
            tx.enqueue_at(towel, at).await?;
        }
        tx.dequeue::<Dry>(1).await
    });
    written.await.expect("it commits");
    shop.advance(-years);
    recorder.note("dry");
    assert_eq!(hourly_looks(&shop, &recorder, 2).await, [1, 0]);
    assert_eq!(attempts(&shop, LINE).await, [0_i64; 0]);
}

both_databases!(each_lane_is_measured);
async fn each_lane_is_measured(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    enqueue(&shop, &run(&recorder, 0)).await;
    assert_eq!(shop.uses::<Queue>().drain(QUICK).await.expect("the database is reached"), 1);
    enqueue(&shop, &Run { fails: true, ..run(&recorder, 1) }).await;
    enqueue(&shop, &run(&recorder, 2)).await;
    shop.advance(TimeDelta::seconds(90));
    let text = shop.measured().await;
    for line in [
        "stoa_queue_tasks_waiting{lane=\"quick\"} 2",
        "stoa_queue_oldest_due_seconds{lane=\"quick\"} 90",
        "stoa_queue_tasks_failed{lane=\"quick\"} 0",
        "stoa_queue_tasks_waiting{lane=\"slow\"} 0",
        "stoa_queue_tasks_waiting{lane=\"events\"} 0",
        "stoa_queue_tasks_done_total{lane=\"quick\"} 1",
    ] {
        assert!(text.lines().any(|own| own == line), "{line} is missing in:\n{text}");
    }
}

both_databases!(a_lane_that_nobody_works_on_is_told_after_a_minute);
async fn a_lane_that_nobody_works_on_is_told_after_a_minute(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    enqueue(&shop, &run(&recorder, 1)).await;
    let told = async || format!("{:?}", shop.examined_by_core().await);
    shop.advance(TimeDelta::seconds(60));
    assert!(!told().await.contains("in the lane `quick`"), "{}", told().await);
    shop.advance(TimeDelta::seconds(1));
    assert!(told().await.contains("1 task is due in the lane `quick`, one of them for more than a minute"));
}
