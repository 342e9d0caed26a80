//! Answers that are files, alone or as another form of what is JSON otherwise.

use std::fmt::Write;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};

use super::answer::Data;
use super::shape::DescribesAnswer;
use super::table::{HeaderParameter, Operation};

/// What the document says about the header with a file's name.
pub const DISPOSITION: HeaderParameter = HeaderParameter {
    name: "Content-Disposition",
    description: "Says of a file that it is to be saved, and under which name.",
    pattern: "^attachment; filename=\"[^\"]*\"",
    example: "attachment; filename=\"document-42.pdf\"",
};

/// The policy of files that are sent as they are: they cannot run anything, even when an SVG holds a script and is opened by itself.
pub const FILE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// A file that is kept whole in memory.
#[derive(Debug, Clone)]
pub struct File {
    /// Its media type.
    pub media_type: &'static str,
    /// Its name.
    pub name: String,
    /// What is in it.
    pub content: Vec<u8>,
}

impl IntoResponse for File {
    fn into_response(self) -> Response {
        let media_type = HeaderValue::from_static(self.media_type);
        let headers = [(header::CONTENT_TYPE, media_type), (header::CONTENT_DISPOSITION, attachment(&self.name))];
        (headers, self.content).into_response()
    }
}

/// A file for whoever has asked, and nobody in between.
pub fn private_file(media_type: &'static str, disposition: HeaderValue, content: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
    ];
    (headers, content.into()).into_response()
}

/// The value of `Content-Disposition` (RFC 6266) of a file to be looked at, with a name as [`attachment`] has it.
pub fn inline(name: &str) -> HeaderValue {
    disposition("inline", name)
}

/// The value of `Content-Disposition` (RFC 6266) of a file to be saved: the name in harmless ASCII, and the true one (RFC 8187) where that is another.
pub fn attachment(name: &str) -> HeaderValue {
    disposition("attachment", name)
}

fn disposition(kind: &'static str, name: &str) -> HeaderValue {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " -_.()+,".contains(letter);
    let plain = name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect::<String>();
    let mut text = format!("{kind}; filename=\"{plain}\"");
    if plain != name {
        text.push_str("; filename*=UTF-8''");
        for byte in name.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.!#$&+^`|~".contains(&byte) {
                text.push(char::from(byte));
            } else {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static(kind))
}

/// A thing under `data`, or as a file where the client prefers that.
#[derive(Debug, Clone)]
pub enum DataOrFile<T> {
    /// As JSON.
    Data(T),
    /// As a file of one of [`FORMS`].
    File(File),
}

/// The media type of documents as people read them.
pub const PDF: &str = "application/pdf";
/// The media type of documents as machines read them.
pub const XML: &str = "application/xml";
/// The files that [`DataOrFile`] may be.
pub const FORMS: [&str; 2] = [PDF, XML];

impl<T> IntoResponse for DataOrFile<T>
where
    Data<T>: IntoResponse,
{
    fn into_response(self) -> Response {
        let mut response = match self {
            Self::Data(data) => Data(data).into_response(),
            Self::File(file) => file.into_response(),
        };
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept"));
        response
    }
}

impl<T> DescribesAnswer for DataOrFile<T>
where
    Data<T>: DescribesAnswer,
{
    fn answers(operation: &mut Operation) {
        Data::<T>::answers(operation);
        operation.files.extend(FORMS);
        operation.answer_headers.push(DISPOSITION);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_makes_one_header_whose_parts_cannot_be_left() {
        for (name, expected) in [
            ("songs.zip", r#"attachment; filename="songs.zip""#),
            ("Grüße.pdf", r#"attachment; filename="Gr__e.pdf"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf"#),
            (r#"a"; b="c\.txt"#, r#"attachment; filename="a__ b__c_.txt"; filename*=UTF-8''a%22%3B%20b%3D%22c%5C.txt"#),
            (
                "a\r\nSet-Cookie: b",
                r#"attachment; filename="a__Set-Cookie_ b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b"#,
            ),
            ("100% 'x'*", r#"attachment; filename="100_ _x__"; filename*=UTF-8''100%25%20%27x%27%2A"#),
        ] {
            assert_eq!(attachment(name), expected, "{name:?}");
        }
    }
}
