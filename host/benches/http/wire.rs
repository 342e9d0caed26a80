//! As much of HTTP/1.1 as a load generator needs: it must cost less than the server it loads.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use crate::Outcome;

/// How long a server may take to start, and any answer to come.
const PATIENCE: Duration = Duration::from_mins(2);

/// Pause between two attempts to connect to a server that is starting.
const CONNECT_PAUSE: Duration = Duration::from_micros(200);

/// An address of this machine that nobody listens on.
pub(crate) fn free_address() -> io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

/// The bytes of a GET request, as a client library would send them.
pub(crate) fn get(target: &str) -> Box<[u8]> {
    get_with(target, &[])
}

/// The same with more headers.
pub(crate) fn get_with(target: &str, headers: &[(&str, &str)]) -> Box<[u8]> {
    request("GET", target, headers, "")
}

/// The bytes of a POST request with a JSON body.
pub(crate) fn post(target: &str, body: &str) -> Box<[u8]> {
    post_with(target, body, &[])
}

/// The same with more headers.
pub(crate) fn post_with(target: &str, body: &str, headers: &[(&str, &str)]) -> Box<[u8]> {
    let length = body.len().to_string();
    let own = [("content-type", "application/json"), ("content-length", length.as_str())];
    request("POST", target, &[&own, headers].concat(), body)
}

fn request(method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Box<[u8]> {
    let headers = headers.iter().map(|(name, value)| [name, ": ", value, "\r\n"].concat()).collect::<String>();
    let text = format!(
        "{method} {target} HTTP/1.1\r\nhost: shop.example.com\r\naccept: application/json\r\n\
         user-agent: stoa-bench\r\n{headers}\r\n{body}"
    );
    text.into_bytes().into_boxed_slice()
}

/// The beginning of a response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// Bytes of the head.
    pub(crate) length: usize,
    /// Bytes of the body that follows it.
    pub(crate) body: usize,
}

impl Head {
    /// Reads the head at the beginning of `bytes`; none while it is incomplete.
    pub(crate) fn parse(bytes: &[u8]) -> io::Result<Option<Self>> {
        let mut headers = [httparse::EMPTY_HEADER; 32];
        let mut response = httparse::Response::new(&mut headers);
        let length = match response.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(error) => return Err(io::Error::other(error)),
        };
        let status = response.code.unwrap_or_default();
        let body = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-length"));
        let body = body.and_then(|header| std::str::from_utf8(header.value).ok()?.parse().ok());
        let body = body.ok_or_else(|| io::Error::other("the response has no Content-Length"))?;
        Ok(Some(Self { status, length, body }))
    }
}

/// A keep-alive connection that waits for each answer.
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    /// Opens a connection.
    pub(crate) fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { stream, buffer: vec![0; 64 * 1024] })
    }

    /// Connects to a server that is starting, and waits until it answers `target` with 200.
    pub(crate) fn wait_for(address: SocketAddr, target: &str, mut check: impl FnMut() -> Outcome<()>) -> Outcome<Self> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let attempt = Self::connect(address).and_then(|mut client| {
                let status = client.send(&get(target))?.0;
                Ok((client, status))
            });
            match attempt {
                Ok((client, 200)) => return Ok(client),
                Ok((_, status)) => return Err(format!("{target} was answered with {status}").into()),
                Err(_) if Instant::now() < deadline => std::thread::sleep(CONNECT_PAUSE),
                Err(error) => return Err(format!("the server did not answer {target}: {error}").into()),
            }
            check()?;
        }
    }

    /// Sends a request and reads its answer: the status and the body.
    pub(crate) fn send(&mut self, request: &[u8]) -> io::Result<(u16, &[u8])> {
        self.stream.write_all(request)?;
        let mut filled = 0;
        let mut head = None;
        loop {
            if filled == self.buffer.len() {
                self.buffer.resize(filled * 2, 0);
            }
            match self.stream.read(&mut self.buffer[filled..])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => filled += read,
            }
            if head.is_none() {
                head = Head::parse(&self.buffer[..filled])?;
            }
            if let Some(head) = head.filter(|head| filled >= head.length + head.body) {
                return Ok((head.status, &self.buffer[head.length..head.length + head.body]));
            }
        }
    }

    /// The body of an answer that has to be 200.
    pub(crate) fn body(&mut self, target: &str) -> Outcome<&[u8]> {
        match self.send(&get(target))? {
            (200, body) => Ok(body),
            (status, body) => {
                let body = String::from_utf8_lossy(&body[..body.len().min(300)]);
                Err(format!("{target} was answered with {status}: {body}").into())
            }
        }
    }
}
