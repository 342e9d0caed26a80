//! Answers that set cookies, and the browser they go to.

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use http::header;
use http::request::Parts;

use stoa_kernel::auth::{SessionSecret, SetCookies, presented_session};
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::http::extract::Uses;
use stoa_kernel::http::shape::{DescribesAnswer, Takes};
use stoa_kernel::http::table::{HeaderParameter, Operation};

/// An answer with cookies.
pub(super) struct WithCookies<T> {
    pub(super) cookies: SetCookies,
    pub(super) answer: T,
}

impl<T: IntoResponse> IntoResponse for WithCookies<T> {
    fn into_response(self) -> Response {
        let mut response = self.answer.into_response();
        self.cookies.write(response.headers_mut());
        response
    }
}

impl<T: DescribesAnswer> DescribesAnswer for WithCookies<T> {
    fn answers(operation: &mut Operation) {
        T::answers(operation);
        operation.answer_headers.push(HeaderParameter {
            name: "Set-Cookie",
            description: "The cookies of the session and against forged requests.",
            pattern: "^[^=;]+=[^;]*;",
            example: "XSRF-TOKEN=0b6f1c1e7a534c399d2e; Path=/; SameSite=Lax",
        });
    }
}

/// What a request says about the browser it comes from.
pub(super) struct Browser {
    /// The session it presents, whether there is such a one or not.
    pub(super) session: Option<SessionSecret>,
    pub(super) user_agent: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for Browser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Uses(base_url) = Uses::<BaseUrl>::from_request_parts(parts, state).await?;
        let user_agent = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        Ok(Self { session: presented_session(&parts.headers, &base_url), user_agent: user_agent.map(str::to_owned) })
    }
}

impl Takes for Browser {}
