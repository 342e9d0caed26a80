//! `stoa jobs`: scheduled work, listed and run by hand.

use chrono::{DateTime, NaiveDate, NaiveTime, SecondsFormat, TimeDelta, Utc};
use clap::Args;
use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::commands::Progress;
use stoa_core::jobs::{JobStatus, RunOutcome, list_jobs, run_job};
use stoa_core::suggestion::no_such;

use super::Context;
use super::commands::{Commands, Group, actions};
use super::question::Consent;
use super::serve::base_url;
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_line, print_table, shown_time};

pub(super) fn register(commands: &mut Commands) {
    commands.add("jobs", Group::BehindTheScenes, Jobs::run);
}

/// List scheduled jobs, or run one now.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa jobs list
  stoa jobs run events.dispatch")]
pub(super) struct Jobs {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Jobs:
    List(List),
    Run(Run),
}

/// List the jobs with when they ran and when they are due.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa jobs list
  stoa jobs list --json")]
struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Run one job now, whether or not it is due.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa jobs run events.dispatch
  stoa jobs run events.dispatch --at 2027-01-31T09:00:00+01:00
  stoa jobs run events.dispatch --at 2027-01-31 --yes")]
struct Run {
    /// The job's name, as `stoa jobs list` shows it.
    name: String,
    /// Run it as of this time: RFC 3339, or a day, which begins at midnight UTC. In the future, what becomes due until then
    /// happens now, so you are asked first.
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<DateTime<Utc>>,
    #[command(flatten)]
    consent: Consent,
    /// Print the job as JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let jobs = list_jobs(&db, &installation.program.registry.jobs).await?;
        if self.json {
            return print_json_list(&jobs.iter().map(describe).collect::<Vec<_>>());
        }
        let time = |time: Option<DateTime<Utc>>, none: &str| {
            time.map_or_else(|| none.to_owned(), |time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
        };
        let rows = jobs.iter().map(|job| {
            let next =
                if job.enabled { time(job.next_run_at, "now") } else { format!("never: `{}` is off", job.owner) };
            let error = job.last_error.clone().unwrap_or_default();
            vec![job.name.to_owned(), job.schedule(), time(job.last_run_at, "never"), next, error]
        });
        print_table(&["JOB", "SCHEDULE", "LAST RUN", "NEXT RUN", "LAST ERROR"], rows)
    }
}

impl Run {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let program = &installation.program;
        let db = installation.open_current().await?;
        self.ask_about_future(program.registry.jobs.describe(&self.name), db.now())?;
        let base_url = base_url(&installation.config, installation.config.server.listen);
        let parts = installation.parts(db, &base_url).await?;
        let clock = self.at.map_or_else(Clock::system, Clock::system_at);
        let jobs = &program.registry.jobs;
        let progress = Progress::begin(&format!("running {}", self.name));
        let outcome = run_job(&parts, jobs, &self.name, clock).await?;
        drop(progress);
        match outcome {
            RunOutcome::Done if self.json => {
                let job = list_jobs(&parts.db, jobs).await?.into_iter().find(|job| job.name == self.name);
                print_json(&job.as_ref().map(describe))
            }
            RunOutcome::Done => print_line(&format!("{} is done", self.name)),
            RunOutcome::Failed(error) => Err(Failure::operation(format!("{} failed: {error}", self.name))),
            RunOutcome::Unknown if jobs.names().contains(&self.name.as_str()) => Err(Failure::operation(format!(
                "the job `{}` belongs to a module that is switched off; `stoa jobs list` names it",
                self.name
            ))),
            RunOutcome::Unknown => Err(Failure::operation(no_such("job", &self.name, jobs.names()))),
        }
    }
}

impl Run {
    /// What is done as of a time to come cannot be undone, and concerns what is not due yet.
    fn ask_about_future(&self, does: Option<&str>, now: DateTime<Utc>) -> Result<(), Failure> {
        let (Some(at), Some(does)) = (self.at.filter(|at| *at > now), does) else { return Ok(()) };
        let question = format!(
            "{} {does}. `--at` is {} in the future: whatever becomes due until {} would be done now, and that cannot be \
             undone. Do it?",
            self.name,
            span(at - now),
            shown_time(at)
        );
        self.consent.require(&question, "Nothing was done.")
    }
}

/// A span of time in its largest unit.
fn span(time: TimeDelta) -> String {
    let (count, unit) = match time {
        _ if time.num_days() > 1 => (time.num_days(), "days"),
        _ if time.num_hours() > 1 => (time.num_hours(), "hours"),
        _ if time.num_minutes() > 1 => (time.num_minutes(), "minutes"),
        _ => (time.num_seconds().max(1), "seconds"),
    };
    format!("{count} {unit}")
}

fn describe(job: &JobStatus) -> Value {
    json!({
        "name": job.name,
        "schedule": job.schedule(),
        "last_run_at": job.last_run_at,
        "next_run_at": job.next_run_at,
        "last_error": job.last_error,
        "owner": job.owner,
        "enabled": job.enabled,
    })
}

/// Reads a time as options take it: RFC 3339, or a day, which begins at midnight UTC.
pub(super) fn time(text: &str) -> Result<DateTime<Utc>, String> {
    read_time(text, Some)
}

/// The same for the end of something: a day is meant whole, and is over at the midnight (UTC) after it.
pub(super) fn end(text: &str) -> Result<DateTime<Utc>, String> {
    read_time(text, |day| day.succ_opt())
}

fn read_time(text: &str, midnight_of: fn(NaiveDate) -> Option<NaiveDate>) -> Result<DateTime<Utc>, String> {
    if let Some(day) = text.parse().ok().and_then(midnight_of) {
        return Ok(day.and_time(NaiveTime::MIN).and_utc());
    }
    let time = DateTime::parse_from_rfc3339(text)
        .map_err(|_| String::from("a time such as 2027-01-31T09:00:00Z, or a day such as 2027-01-31, is expected"))?;
    Ok(time.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_an_offset_and_a_day_begins_at_midnight() {
        let read = |text| time(text).map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true));
        assert_eq!(read("2027-01-31T09:00:00+01:00").as_deref(), Ok("2027-01-31T08:00:00Z"));
        assert_eq!(read("2027-01-31").as_deref(), Ok("2027-01-31T00:00:00Z"));
        for text in ["", "tomorrow", "2027-02-30", "2027-01-31T09:00:00", "31.01.2027", "1700000000"] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_day_that_something_ends_on_is_meant_whole() {
        let read = |text| end(text).map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true));
        assert_eq!(read("2027-01-31").as_deref(), Ok("2027-02-01T00:00:00Z"));
        assert_eq!(read("2027-01-31T09:00:00+01:00").as_deref(), Ok("2027-01-31T08:00:00Z"));
        assert!(end("tomorrow").is_err());
    }
}
