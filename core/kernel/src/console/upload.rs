//! Forms of the console that files come along with (RFC 7578).

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use bytes::Bytes;
use futures_util::stream;
use http::request::Parts;
use http::{HeaderMap, header};
use multer::{Constraints, Multipart, SizeLimit};

use super::StaffForm;
use crate::http::error::ApiError;
use crate::http::form::{FormFields, without_nul};
use crate::http::shape::Takes;

/// The most fields and files of a form.
const MOST_PARTS: usize = 5000;

/// The longest of its texts, in bytes.
const LONGEST_TEXT: usize = 1024 * 1024;

/// The most files of a form.
const MOST_FILES: usize = 50;

/// What the guard has received of a form with files.
#[derive(Debug, Clone)]
pub(crate) struct UploadContent(pub(crate) Bytes);

/// A file that came along with a form.
#[derive(Debug, Clone)]
pub struct UploadedFile {
    /// The field that it was chosen in.
    pub field: String,
    /// What it is called where it comes from.
    pub name: String,
    /// What is in it.
    pub content: Bytes,
}

/// A form of the console with the files that came along. The guard has received it, within a limit, and looked at its token.
#[derive(Debug, Clone, Default)]
pub struct StaffUpload {
    /// The fields.
    pub form: StaffForm,
    files: Vec<UploadedFile>,
}

impl StaffUpload {
    /// The files of a field, in the order in which they were chosen. A field in which none was chosen has none.
    pub fn files<'a>(&'a self, field: &'a str) -> impl Iterator<Item = &'a UploadedFile> {
        self.files.iter().filter(move |file| file.field == field)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for StaffUpload {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let Some(UploadContent(bytes)) = parts.extensions.get::<UploadContent>().cloned() else {
            let form = parts.extensions.get::<StaffForm>().cloned().unwrap_or_default();
            return Ok(Self { form, files: Vec::new() });
        };
        read(bytes, boundary_of(&parts.headers)?).await
    }
}

impl Takes for StaffUpload {}

/// What was typed into a form with files.
pub(crate) async fn texts_of_upload(headers: &HeaderMap, bytes: Bytes) -> Result<FormFields, ApiError> {
    Ok(read(bytes, boundary_of(headers)?).await?.form.0)
}

fn boundary_of(headers: &HeaderMap) -> Result<String, ApiError> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let boundary = content_type.and_then(|kind| multer::parse_boundary(kind).ok());
    boundary.ok_or_else(ApiError::unsupported_media_type)
}

async fn read(bytes: Bytes, boundary: String) -> Result<StaffUpload, ApiError> {
    let limits = SizeLimit::new().whole_stream(bytes.len() as u64);
    let body = stream::iter([Ok::<_, Infallible>(bytes)]);
    let mut parts = Multipart::with_constraints(body, boundary, Constraints::new().size_limit(limits));
    let (mut fields, mut files) = (Vec::new(), Vec::new());
    while let Some(part) = parts.next_field().await.map_err(|error| broken(&error))? {
        let name = part.name().unwrap_or_default().to_owned();
        let file = part.file_name().map(|name| without_nul(name.to_owned()));
        let content = part.bytes().await.map_err(|error| broken(&error))?;
        if let Some(file) = file {
            // A browser sends an empty file for a field in which none was chosen.
            if !file.is_empty() || !content.is_empty() {
                files.push(UploadedFile { field: name, name: file, content });
            }
        } else if content.len() > LONGEST_TEXT {
            return Err(ApiError::payload_too_large());
        } else {
            fields.push((name, without_nul(String::from_utf8_lossy(&content).into_owned())));
        }
        if fields.len() > MOST_PARTS || files.len() > MOST_FILES {
            return Err(ApiError::payload_too_large());
        }
    }
    Ok(StaffUpload { form: StaffForm(fields.into()), files })
}

/// What is not put together as forms are.
fn broken(error: &multer::Error) -> ApiError {
    tracing::debug!(error = error as &dyn std::error::Error, "a form with files cannot be read");
    ApiError::bad_request()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nabc\r\n\
        --x\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n\x01\x02\r\n\
        --x\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"\"\r\n\r\n\r\n--x--\r\n";

    #[tokio::test]
    async fn texts_and_files_are_told_apart_and_a_field_without_a_file_has_none() {
        let upload = read(Bytes::from_static(FORM.as_bytes()), String::from("x")).await.expect("a form");
        assert_eq!(upload.form.get("csrf"), Some("abc"));
        let files = upload.files("photos").map(|file| (file.name.as_str(), &file.content[..])).collect::<Vec<_>>();
        assert_eq!(files, [("a.png", &b"\x01\x02"[..])]);
        assert_eq!(upload.files("csrf").count(), 0);
    }

    #[tokio::test]
    async fn a_form_that_breaks_off_is_refused() {
        for end in [10, 60, FORM.len() - 8] {
            let part = Bytes::copy_from_slice(&FORM.as_bytes()[..end]);
            assert_eq!(read(part, String::from("x")).await.expect_err("it is broken").status(), 400, "{end}");
        }
    }
}
