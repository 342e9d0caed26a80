//! A mail server of the tests' own, and what it has taken over.
//!
//! ```
//! # mod stoa_core { pub use stoa_kernel::db; pub use stoa_shop::testing; }
//! use stoa_core::db::Backend;
//! use stoa_core::testing::both_databases;
//! use stoa_core::testing::smtp_fake::SmtpFake;
//!
//! both_databases!(nothing_is_sent_by_itself);
//! async fn nothing_is_sent_by_itself(backend: Backend) {
//!     let smtp = SmtpFake::open().await;
//!     let shop = smtp.shop(backend).open().await;
//!     shop.run_jobs().await;
//!     assert!(smtp.collect().is_empty());
//! }
//! # fn main() {}
//! ```

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use stoa_kernel::db::Backend;

use super::shop::{TestShop, TestShopBuilder};

/// How the server answers the content of a message, or its recipient.
#[derive(Debug, Clone, Copy)]
pub enum Reply {
    /// The recipient is told to be busy (451).
    Busy,
    /// There is no such recipient (550).
    Unknown,
    /// The password is wrong (535), as the recipient's answer.
    WrongPassword,
    /// The content is read and never answered.
    Silence,
    /// The content is taken over, and the connection cut instead of an answer.
    TakenAndGone,
    /// The content is taken over, and the goodbye never answered.
    TakenAndSilent,
}

/// A message that the server has taken over.
#[derive(Debug, Clone)]
pub struct Received {
    /// The sender's address, of the envelope.
    pub from: String,
    /// The recipients' addresses, of the envelope.
    pub to: Vec<String>,
    /// Everything as it came.
    pub raw: String,
}

impl Received {
    /// The value of a header, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        let (head, _) = self.raw.split_once("\r\n\r\n")?;
        let unfolded = head.replace("\r\n ", " ");
        let start = format!("{name}: ");
        unfolded.split("\r\n").find_map(|line| line.strip_prefix(&start).map(str::to_owned))
    }

    /// The parts that have no parts of their own, each with its headers; the message itself if it has none.
    pub fn parts(&self) -> Vec<Self> {
        let kind = self.header("Content-Type").unwrap_or_default();
        let boundary = kind.split_once("boundary=").filter(|_| kind.starts_with("multipart/"));
        let Some((_, boundary)) = boundary else { return vec![self.clone()] };
        let separator = format!("--{}", boundary.trim_matches('"'));
        let (_, body) = self.raw.split_once("\r\n\r\n").expect("headers end");
        let mut inner = body.split(&separator).skip(1).collect::<Vec<_>>();
        assert!(inner.pop().is_some_and(|end| end.starts_with("--")), "{body}");
        let part = |raw: &str| {
            let raw = raw.strip_prefix("\r\n").expect("a line ends").to_owned();
            Self { raw: raw.strip_suffix("\r\n").map(str::to_owned).unwrap_or(raw), ..self.clone() }
        };
        inner.into_iter().flat_map(|raw| part(raw).parts()).collect()
    }

    /// The text, decoded, with plain line ends.
    pub fn text(&self) -> String {
        self.words("text/plain").expect("there is a text")
    }

    /// The HTML, decoded, with plain line ends.
    pub fn html(&self) -> String {
        self.words("text/html").expect("there is HTML")
    }

    /// The files that go along: name, media type and content.
    pub fn files(&self) -> Vec<(String, String, Vec<u8>)> {
        let files = self.parts().into_iter().filter_map(|part| {
            let disposition = part.header("Content-Disposition").filter(|it| it.starts_with("attachment"))?;
            let (_, name) = disposition.split_once("filename=").expect("it has a name");
            let (_, body) = part.raw.split_once("\r\n\r\n").expect("headers end");
            let content = BASE64_STANDARD.decode(body.replace("\r\n", "")).expect("it is base64");
            Some((name.trim_matches('"').to_owned(), part.header("Content-Type").expect("a type"), content))
        });
        files.collect()
    }

    fn words(&self, media_type: &str) -> Option<String> {
        let is_it = |part: &Self| part.header("Content-Type").is_some_and(|kind| kind.starts_with(media_type));
        let part = self.parts().into_iter().find(is_it)?;
        let (_, body) = part.raw.split_once("\r\n\r\n").expect("headers end");
        let decoded = match part.header("Content-Transfer-Encoding").as_deref() {
            Some("7bit") => body.to_owned(),
            Some("quoted-printable") => unquoted(body),
            Some("base64") => {
                let bytes = BASE64_STANDARD.decode(body.replace("\r\n", "")).expect("it is base64");
                String::from_utf8(bytes).expect("it is UTF-8")
            }
            other => panic!("the tests cannot read {other:?}"),
        };
        Some(decoded.replace("\r\n", "\n"))
    }

    /// The link in the text.
    pub fn link(&self) -> String {
        let text = self.text();
        let mut links = text.lines().filter(|line| line.starts_with("http"));
        let link = links.next().expect("there is a link").to_owned();
        assert_eq!(links.next(), None, "{text}");
        link
    }

    /// The secret at the end of the link.
    pub fn token(&self) -> String {
        let link = self.link();
        link[link.len() - 48..].to_owned()
    }
}

fn unquoted(text: &str) -> String {
    let joined = text.replace("=\r\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        if *first == b'=' {
            let code = std::str::from_utf8(&tail[..2]).expect("two digits");
            bytes.push(u8::from_str_radix(code, 16).expect("hexadecimal"));
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).expect("the text is UTF-8")
}

#[derive(Default)]
struct State {
    replies: VecDeque<Reply>,
    received: Vec<Received>,
    connections: usize,
    /// What clients have logged in with, as they sent it.
    logins: Vec<String>,
}

/// How the server protects connections.
#[derive(Clone)]
pub enum Protection {
    /// Not at all.
    None,
    /// After `STARTTLS`, before which it takes nothing.
    StartTls(TlsAcceptor),
    /// From the first byte on.
    Tls(TlsAcceptor),
}

/// The server. It takes everything over unless told otherwise.
#[derive(Clone)]
pub struct SmtpFake {
    state: Arc<Mutex<State>>,
    port: u16,
}

impl SmtpFake {
    /// A server whose connections are not protected.
    pub async fn open() -> Self {
        Self::protected(Protection::None).await
    }

    /// A server whose connections are protected.
    pub async fn protected(protection: Protection) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let smtp = Self { state: Arc::default(), port };
        let state = Arc::clone(&smtp.state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                state.lock().expect("no test panics here").connections += 1;
                let (state, protection) = (Arc::clone(&state), protection.clone());
                tokio::spawn(async move { serve(stream, protection, &state).await });
            }
        });
        smtp
    }

    /// Answers the next messages in these ways.
    pub fn script(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state.lock().expect("no test panics here").replies.extend(replies);
    }

    /// What was taken over since the last look.
    pub fn collect(&self) -> Vec<Received> {
        std::mem::take(&mut self.state.lock().expect("no test panics here").received)
    }

    /// The one message that was taken over since the last look.
    #[track_caller]
    pub fn only(&self) -> Received {
        let mut received = self.collect();
        assert_eq!(received.len(), 1, "{received:?}");
        received.remove(0)
    }

    /// How often somebody has connected.
    pub fn connections(&self) -> usize {
        self.state.lock().expect("no test panics here").connections
    }

    /// What clients have logged in with, as they sent it.
    pub fn logins(&self) -> Vec<String> {
        self.state.lock().expect("no test panics here").logins.clone()
    }

    /// The port on this machine.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The settings with which a shop sends here.
    pub fn config(&self) -> String {
        format!(
            "[mail]\nfrom = 'Lamps <shop@lamps.example>'\n\
             smtp = {{ host = '127.0.0.1', port = {}, encryption = 'none' }}\n",
            self.port
        )
    }

    /// A shop that sends here.
    pub fn shop(&self, backend: Backend) -> TestShopBuilder {
        TestShop::builder(backend).config(&self.config())
    }
}

/// Protects the connection as the client and the server have agreed, and speaks on it.
async fn serve(stream: TcpStream, protection: Protection, state: &Mutex<State>) {
    let mut stream = BufReader::new(stream);
    match protection {
        Protection::None => {
            let _ = greet(&mut stream).await;
            converse(&mut stream, state).await;
        }
        Protection::Tls(acceptor) => {
            // A client that does not believe the certificate goes away.
            let Ok(stream) = acceptor.accept(stream.into_inner()).await else { return };
            let mut stream = BufReader::new(stream);
            let _ = greet(&mut stream).await;
            converse(&mut stream, state).await;
        }
        Protection::StartTls(acceptor) => {
            let _ = greet(&mut stream).await;
            if !begins_tls(&mut stream).await {
                return;
            }
            let Ok(stream) = acceptor.accept(stream.into_inner()).await else { return };
            converse(&mut BufReader::new(stream), state).await;
        }
    }
}

async fn greet<S: AsyncWrite + Unpin>(stream: &mut S) -> std::io::Result<()> {
    stream.write_all(b"220 smtp.test ESMTP\r\n").await
}

/// Takes nothing before the client asks for TLS.
async fn begins_tls(stream: &mut BufReader<TcpStream>) -> bool {
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
            return false;
        }
        let command = line.trim_end().to_ascii_uppercase();
        let (answer, begins) = match command.split(' ').next().unwrap_or_default() {
            "EHLO" => ("250-smtp.test\r\n250 STARTTLS\r\n", false),
            "STARTTLS" => ("220 go ahead\r\n", true),
            _ => ("530 say STARTTLS first\r\n", false),
        };
        if stream.write_all(answer.as_bytes()).await.is_err() || begins {
            return begins;
        }
    }
}

/// Speaks SMTP as far as a client needs it.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufReader<S>, state: &Mutex<State>) {
    let (mut from, mut to) = (String::new(), Vec::new());
    let mut reply = None;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
            return;
        }
        let command = line.trim_end().to_owned();
        let answer = match command.to_ascii_uppercase().split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => "250-smtp.test\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n",
            "AUTH" => {
                state.lock().expect("no test panics here").logins.push(command.clone());
                "235 welcome\r\n"
            }
            "MAIL" => {
                from = address(&command);
                reply = state.lock().expect("no test panics here").replies.pop_front();
                "250 fine\r\n"
            }
            "RCPT" => match reply {
                Some(Reply::Busy) => "451 mailbox busy\r\n",
                Some(Reply::Unknown) => "550 no such user here\r\n",
                Some(Reply::WrongPassword) => "535 wrong password\r\n",
                _ => {
                    to.push(address(&command));
                    "250 fine\r\n"
                }
            },
            "DATA" => {
                let _ = stream.write_all(b"354 go on\r\n").await;
                let raw = content(stream).await;
                if matches!(reply, Some(Reply::Silence)) {
                    std::future::pending::<()>().await;
                }
                let received = Received { from: from.clone(), to: std::mem::take(&mut to), raw };
                state.lock().expect("no test panics here").received.push(received);
                if matches!(reply, Some(Reply::TakenAndGone)) {
                    return;
                }
                "250 taken over\r\n"
            }
            "QUIT" if matches!(reply, Some(Reply::TakenAndSilent)) => {
                std::future::pending::<()>().await;
                return;
            }
            "QUIT" => {
                let _ = stream.write_all(b"221 bye\r\n").await;
                return;
            }
            _ => "502 unknown\r\n",
        };
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

fn address(command: &str) -> String {
    let (_, rest) = command.split_once('<').expect("an address in brackets");
    rest.split_once('>').expect("an address in brackets").0.to_owned()
}

/// The content up to the line with a lone point, with doubled points undone.
async fn content<S: AsyncRead + Unpin>(stream: &mut BufReader<S>) -> String {
    let mut content = String::new();
    loop {
        let mut line = String::new();
        let read = stream.read_line(&mut line).await.unwrap_or(0);
        if read == 0 || line == ".\r\n" {
            return content;
        }
        content.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
