//! Where deliveries are kept: each once, and on the disk before anybody is told that it arrived.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

/// What became of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// It is new, and safe now.
    New,
    /// It was here before.
    Known,
}

/// A file with one delivery a line. Your program will have a table with a unique column instead.
#[derive(Debug)]
pub struct Inbox(Mutex<StoredDeliveries>);

#[derive(Debug)]
struct StoredDeliveries {
    file: File,
    known: HashSet<String>,
}

impl Inbox {
    /// Opens the file, which is made when it is missing, and reads which deliveries are in it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut known = HashSet::new();
        let mut is_cut = false;
        for line in BufReader::new(&file).split(b'\n') {
            // A crash may have cut the last line; that delivery was not answered, and comes again.
            match serde_json::from_slice::<Value>(&line?) {
                Ok(entry) => is_cut = !entry["delivery"].as_str().is_some_and(|id| known.insert(id.to_owned())),
                Err(_) => is_cut = true,
            }
        }
        let inbox = Self(Mutex::new(StoredDeliveries { file, known }));
        if is_cut {
            inbox.0.lock().unwrap_or_else(PoisonError::into_inner).file.write_all(b"\n")?;
        }
        Ok(inbox)
    }

    /// Keeps a delivery, unless it is known. When this returns, a power cut does not lose it.
    pub fn store(&self, delivery: &str, event: &str, body: &Value) -> io::Result<Stored> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.known.contains(delivery) {
            return Ok(Stored::Known);
        }
        let line = format!("{}\n", json!({"delivery": delivery, "event": event, "body": body}));
        kept.file.write_all(line.as_bytes())?;
        kept.file.sync_data()?;
        kept.known.insert(delivery.to_owned());
        Ok(Stored::New)
    }
}
