//! From a row to a message as mail servers take it.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use lettre::message::header::{ContentType, ContentTypeErr, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, MultiPartKind, SinglePart};
use lettre::{Address, Message};

use stoa_kernel::config::Sender;

/// What a message consists of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) recipient: &'a str,
    pub(super) subject: &'a str,
    /// The text.
    pub(super) body: &'a str,
    /// The same as HTML; none of what was written down without it.
    pub(super) html: Option<&'a str>,
    pub(super) language: &'a str,
    pub(super) message_id: &'a str,
    pub(super) written_at: DateTime<Utc>,
    pub(super) enclosed: &'a [EnclosedFile],
}

/// A file that goes along.
#[derive(Debug)]
pub(super) struct EnclosedFile {
    pub(super) name: String,
    pub(super) media_type: String,
    pub(super) content: Vec<u8>,
}

/// Why a message cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum ComposeError {
    #[error("the address is none that mail can be sent to")]
    Address(#[from] lettre::address::AddressError),
    #[error("the media type of the file is none")]
    MediaType(#[from] ContentTypeErr),
    #[error("the message cannot be written")]
    Message(#[from] lettre::error::Error),
}

/// Writes the message. Texts go through the types of `lettre`, which encode what could begin a line of its own.
pub(super) fn compose(sender: &Sender, parts: Parts<'_>) -> Result<Message, ComposeError> {
    let from = Mailbox::new(sender.name().map(str::to_owned), sender.address().clone());
    let to = Mailbox::new(None, parts.recipient.parse::<Address>()?);
    let plain =
        |name: &'static str, value: &str| HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned());
    let builder = Message::builder()
        .from(from)
        .to(to)
        .subject(parts.subject)
        .message_id(Some(parts.message_id.to_owned()))
        .date(SystemTime::from(parts.written_at))
        .raw_header(plain("Content-Language", parts.language))
        // RFC 3834, and the word that Exchange understands: nobody's absence is answered to the shop.
        .raw_header(plain("Auto-Submitted", "auto-generated"))
        .raw_header(plain("X-Auto-Response-Suppress", "All"));
    // The end of the last line is added there.
    let text = SinglePart::plain(parts.body.trim_end().to_owned());
    let html = parts.html.map(|html| SinglePart::html(html.trim_end().to_owned()));
    // Mail programs show the last of what they can. A message is the same each time that it is sent, so its boundaries are made of
    // its name.
    let alternative = |html| {
        let both = MultiPart::builder().kind(MultiPartKind::Alternative).boundary(boundary("a", parts.message_id));
        both.singlepart(text.clone()).singlepart(html)
    };
    let Some((first, others)) = parts.enclosed.split_first() else {
        return Ok(match html {
            Some(html) => builder.multipart(alternative(html))?,
            None => builder.singlepart(text)?,
        });
    };
    let mixed = MultiPart::builder().kind(MultiPartKind::Mixed).boundary(boundary("m", parts.message_id));
    let mut mixed = match html {
        Some(html) => mixed.multipart(alternative(html)),
        None => mixed.singlepart(text.clone()),
    };
    mixed = mixed.singlepart(enclosed(first)?);
    for file in others {
        mixed = mixed.singlepart(enclosed(file)?);
    }
    Ok(builder.multipart(mixed)?)
}

/// What stands between the parts of a message: at most 70 letters, digits and `-`, which no part has.
fn boundary(kind: &str, message_id: &str) -> String {
    let name = message_id.split('@').next().unwrap_or_default();
    let name = name.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').take(60);
    format!("part-{kind}-{}", name.collect::<String>())
}

fn enclosed(file: &EnclosedFile) -> Result<SinglePart, ComposeError> {
    let media_type = ContentType::parse(&file.media_type)?;
    Ok(Attachment::new(file.name.clone()).body(file.content.clone(), media_type))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(from: &str, subject: &str) -> String {
        let sender = Sender::parse(from).expect("a sender");
        let parts = Parts {
            recipient: "ada@example.com",
            subject,
            body: "Hello,\n\nthis is a line.\n",
            language: "en",
            message_id: "<one@shop.example>",
            written_at: "2026-01-15T12:00:00Z".parse().expect("a time"),
            html: None,
            enclosed: &[],
        };
        let message = compose(&sender, parts).expect("a message");
        String::from_utf8(message.formatted()).expect("it is ASCII")
    }

    fn names(text: &str) -> Vec<&str> {
        let (head, _) = text.split_once("\r\n\r\n").expect("headers end");
        let lines = head.split("\r\n").filter(|line| !line.starts_with([' ', '\t']));
        lines.map(|line| line.split_once(':').expect("a header").0).collect()
    }

    const NAMES: [&str; 11] = [
        "From",
        "To",
        "Subject",
        "Message-ID",
        "Date",
        "Content-Language",
        "Auto-Submitted",
        "X-Auto-Response-Suppress",
        "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
    ];

    #[test]
    fn a_message_says_what_it_is_and_that_nobody_wrote_it() {
        let text = written("Shop <shop@shop.example>", "Hello");
        assert_eq!(names(&text), NAMES);
        for line in [
            "From: Shop <shop@shop.example>",
            "To: ada@example.com",
            "Subject: Hello",
            "Message-ID: <one@shop.example>",
            "Date: Thu, 15 Jan 2026 12:00:00 +0000",
            "Auto-Submitted: auto-generated",
            "Content-Type: text/plain; charset=utf-8",
        ] {
            assert!(text.split("\r\n").any(|found| found == line), "{line}\n{text}");
        }
        assert!(text.ends_with("\r\n\r\nHello,\r\n\r\nthis is a line.\r\n"), "{text}");
    }

    #[test]
    fn no_text_can_add_a_header_or_a_recipient() {
        for text in [
            "Hello\r\nBcc: victim@example.com",
            "Hello\nBcc: victim@example.com",
            "Hello\rBcc: victim@example.com",
            "Hello\r\n\r\nA body of my own",
            "Müller\u{2028}Bcc: victim@example.com",
            "\"Shop\" <other@example.com>, x",
            "x".repeat(255).as_str(),
        ] {
            let message = written("Shop <shop@shop.example>", text);
            assert_eq!(names(&message), NAMES, "{message}");
            let (head, _) = message.split_once("\r\n\r\n").expect("headers end");
            assert!(head.split("\r\n").all(|line| line.len() <= 998), "{message}");
        }
        for name in ["Müller, \"Söhne\" & Co", "a@b.example; x", "Dr. Shop (shop)", "=?utf-8?b?eA==?="] {
            let message = written(&format!("{name} <shop@shop.example>"), "Hello");
            assert_eq!(names(&message), NAMES, "{message}");
            assert_eq!(message.matches("<shop@shop.example>").count(), 1, "{message}");
        }
    }
}
