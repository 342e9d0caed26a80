//! The bytes of a stored object on their way to a client, in pieces, so that memory does not grow with the file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::GetResultPayload;
use tokio::task::JoinHandle;

use crate::storage::{Storage, StorageError, StorageKey};

/// Bytes of one piece: large enough that handing it around costs little, small enough that a thousand fit into memory.
const PIECE: u64 = 256 * 1024;

/// Where the pieces come from.
enum Source {
    /// A file of this machine. The next piece is read while the last one is sent.
    File(JoinHandle<(File, io::Result<Bytes>)>),
    /// An answer of a server.
    Stream(BoxStream<'static, object_store::Result<Bytes>>),
    /// Everything was read.
    End,
}

/// A part of a stored object that is being read.
pub(crate) struct Content {
    source: Source,
    /// Bytes that were not asked for yet, of a file.
    unread: u64,
    /// Bytes that were not handed out yet.
    remaining: u64,
}

impl Content {
    /// Opens the object and begins to read.
    pub(crate) async fn open(storage: &Storage, key: &StorageKey, range: Range<u64>) -> Result<Self, StorageError> {
        let found = storage.read(key, range.clone()).await?;
        let length = range.end - range.start;
        if found.range != range {
            // The storage cuts what lies behind the end of an object.
            return Err(StorageError::File(shorter()));
        }
        match found.payload {
            GetResultPayload::File(file, _) => {
                let first = length.min(PIECE);
                let seek = Some(range.start);
                Ok(Self { source: Source::File(read(file, seek, first)), unread: length - first, remaining: length })
            }
            GetResultPayload::Stream(stream) => {
                Ok(Self { source: Source::Stream(stream), unread: 0, remaining: length })
            }
        }
    }

    /// The next piece; none at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, StorageError> {
        if self.remaining == 0 {
            return Ok(None);
        }
        let piece = match &mut self.source {
            Source::File(reading) => {
                let (file, piece) = reading.await.map_err(|error| StorageError::File(io::Error::other(error)))?;
                let next = self.unread.min(PIECE);
                self.unread -= next;
                self.source = if next == 0 { Source::End } else { Source::File(read(file, None, next)) };
                piece?
            }
            Source::Stream(stream) => stream.next().await.transpose()?.ok_or_else(shorter)?,
            Source::End => return Err(StorageError::File(shorter())),
        };
        let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        self.remaining =
            self.remaining.checked_sub(length).ok_or_else(|| io::Error::other("more bytes than asked for"))?;
        Ok(Some(piece))
    }
}

fn shorter() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the stored object is shorter than it was")
}

/// Reads exactly `length` bytes beside the tasks, which a slow disk must not hold up.
fn read(mut file: File, seek: Option<u64>, length: u64) -> JoinHandle<(File, io::Result<Bytes>)> {
    tokio::task::spawn_blocking(move || {
        let piece = read_piece(&mut file, seek, length);
        (file, piece)
    })
}

fn read_piece(file: &mut File, seek: Option<u64>, length: u64) -> io::Result<Bytes> {
    if let Some(start) = seek {
        file.seek(SeekFrom::Start(start))?;
    }
    let mut piece = Vec::with_capacity(usize::try_from(length).map_err(io::Error::other)?);
    let read = file.take(length).read_to_end(&mut piece)?;
    if u64::try_from(read).is_ok_and(|read| read == length) { Ok(piece.into()) } else { Err(shorter()) }
}
