//! Answers that are files, alone or as another form of what is JSON otherwise.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};

use super::answer::Data;
use super::error::ApiError;
use super::shape::Answers;
use super::table::{HeaderParameter, Operation};

/// What the document says about the header with a file's name.
pub const DISPOSITION: HeaderParameter = HeaderParameter {
    name: "Content-Disposition",
    description: "Says of a file that it is to be saved, and under which name.",
    pattern: "^attachment; filename=\"[^\"]*\"",
    example: "attachment; filename=\"document-42.pdf\"",
};

/// A file that is kept whole in memory.
#[derive(Debug, Clone)]
pub struct File {
    /// Its media type.
    pub media_type: &'static str,
    /// Its name; what is not a letter, digit, `-`, `_` or `.` of ASCII becomes `_`.
    pub name: String,
    /// What is in it.
    pub content: Vec<u8>,
}

impl IntoResponse for File {
    fn into_response(self) -> Response {
        let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
        let name = self.name.chars().map(|character| if is_plain(character) { character } else { '_' });
        let disposition = format!("attachment; filename=\"{}\"", name.collect::<String>());
        match HeaderValue::try_from(disposition) {
            Ok(disposition) => {
                let media_type = HeaderValue::from_static(self.media_type);
                let headers = [(header::CONTENT_TYPE, media_type), (header::CONTENT_DISPOSITION, disposition)];
                (headers, self.content).into_response()
            }
            Err(error) => ApiError::internal(error).into_response(),
        }
    }
}

/// A thing under `data`, or as the PDF that the client prefers.
#[derive(Debug, Clone)]
pub enum DataOrPdf<T> {
    /// As JSON.
    Data(T),
    /// As a PDF.
    Pdf(File),
}

impl<T> DataOrPdf<T> {
    /// The media type of the file.
    pub const PDF: &'static str = "application/pdf";
}

impl<T> IntoResponse for DataOrPdf<T>
where
    Data<T>: IntoResponse,
{
    fn into_response(self) -> Response {
        let mut response = match self {
            Self::Data(data) => Data(data).into_response(),
            Self::Pdf(file) => file.into_response(),
        };
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept"));
        response
    }
}

impl<T> Answers for DataOrPdf<T>
where
    Data<T>: Answers,
{
    fn answers(operation: &mut Operation) {
        Data::<T>::answers(operation);
        operation.files.push(Self::PDF);
        operation.answer_headers.push(DISPOSITION);
    }
}
