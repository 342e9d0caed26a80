//! Processes on cores of their own, and what the system knows about them.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Outcome;

/// Ticks per second in `/proc/PID/stat`, the same on every Linux that Rust supports.
const TICKS_PER_SECOND: u64 = 100;

/// Who runs on which processor core.
#[derive(Debug)]
pub(crate) struct Cores {
    /// The list of all cores that this process was started on, as `taskset` writes it.
    all: String,
    /// The cores of the server and of the generator; none where processes cannot be pinned.
    pinned: Option<(u32, u32)>,
}

impl Cores {
    /// Moves this process to the last of its cores and keeps the first for servers, where there are
    /// two and `taskset` is installed.
    pub(crate) fn pin_this_process() -> Self {
        let all = field("self", "Cpus_allowed_list").unwrap_or_default();
        let mut cores = Self { pinned: both_ends(&all), all };
        if let Some((_, own)) = cores.pinned {
            let id = std::process::id().to_string();
            let taskset = Command::new("taskset").args(["-a", "-c", "-p", &own.to_string(), &id]).output();
            if !taskset.is_ok_and(|output| output.status.success()) {
                cores.pinned = None;
            }
        }
        if cores.pinned.is_none() {
            eprintln!("not pinned: this needs Linux, two cores and `taskset`; server and generator share all cores");
        }
        cores
    }

    /// A sentence about who runs where.
    pub(crate) fn description(&self) -> String {
        match self.pinned {
            Some((server, generator)) => {
                format!("servers on core {server}, load generator on core {generator}")
            }
            None => String::from("nothing pinned: servers and load generator share all cores"),
        }
    }

    /// A command that runs on the servers' core.
    pub(crate) fn server(&self, program: &Path) -> Command {
        on(program, self.pinned.map(|(server, _)| server.to_string()))
    }

    /// A command that runs on all cores.
    pub(crate) fn everywhere(&self, program: &Path) -> Command {
        on(program, self.pinned.map(|_| self.all.clone()))
    }
}

fn on(program: &Path, cores: Option<String>) -> Command {
    let Some(cores) = cores else { return Command::new(program) };
    let mut command = Command::new("taskset");
    command.args(["-c", &cores]).arg(program);
    command
}

/// The first and last core of a list such as `0-3,6`, if they differ.
fn both_ends(list: &str) -> Option<(u32, u32)> {
    let numbers = list.split([',', '-']).map(|number| number.trim().parse::<u32>().ok());
    let numbers = numbers.collect::<Option<Vec<_>>>()?;
    let (low, high) = (*numbers.first()?, *numbers.last()?);
    (low != high).then_some((low, high))
}

/// A value of `/proc/PID/status`.
fn field(process: &str, name: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    Some(line.trim().to_owned())
}

/// A child process that is stopped when this is dropped.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
}

impl Running {
    /// Starts the command without standard input.
    pub(crate) fn start(command: &mut Command) -> Outcome<Self> {
        let child = command.stdin(Stdio::null()).spawn();
        Ok(Self { child: child.map_err(|error| format!("cannot start {command:?}: {error}"))? })
    }

    /// Fails when the process has ended already.
    pub(crate) fn check(&mut self) -> Outcome<()> {
        match self.child.try_wait()? {
            Some(status) => Err(format!("the server has ended by itself: {status}").into()),
            None => Ok(()),
        }
    }

    /// Processor time used since the process began; none where the system does not say.
    pub(crate) fn processor_time(&self) -> Option<Duration> {
        processor_time(&self.child.id().to_string())
    }

    /// Resident memory now and at its highest, in MiB.
    pub(crate) fn memory(&self) -> Option<(f64, f64)> {
        let id = self.child.id().to_string();
        let mebibytes = |name| {
            let kibibytes = field(&id, name)?.trim_end_matches(" kB").parse::<u32>().ok()?;
            Some(f64::from(kibibytes) / 1024.0)
        };
        Some((mebibytes("VmRSS")?, mebibytes("VmHWM")?))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let id = self.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// Processor time that this process has used.
pub(crate) fn own_processor_time() -> Option<Duration> {
    processor_time("self")
}

fn processor_time(process: &str) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the program's name in brackets, which may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let total = ticks()? + ticks()?;
    Some(Duration::from_millis(total * 1000 / TICKS_PER_SECOND))
}
