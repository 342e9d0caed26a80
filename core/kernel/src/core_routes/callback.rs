//! Requests that prove by their raw body who sends them.

use std::net::IpAddr;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use http::HeaderMap;
use tracing::Instrument;

use crate::auth::Outcome;
use crate::http::error::{ApiError, ApiResult};
use crate::http::extract::admission;
use crate::http::guard::RequestContext;
use crate::http::receive::receive_body;
use crate::http::shape::Takes;

/// A request that nobody has verified, counted or read yet.
pub struct Unverified {
    admission: RequestContext,
    headers: HeaderMap,
    body: Body,
}

/// One whose body has arrived.
pub struct Arrived {
    /// Whose address it comes from.
    pub client: IpAddr,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, as it came.
    pub body: Bytes,
}

impl Unverified {
    /// Reads and takes the request. It is counted before it is read, and no longer once it turns out to be no mistake of the
    /// sender's: genuine ones come from a few addresses. The body may have `most` bytes.
    pub async fn take<T, F>(self, most: usize, take: impl FnOnce(Arrived) -> F + Send + 'static) -> ApiResult<T>
    where
        T: Send + 'static,
        F: Future<Output = ApiResult<T>> + Send,
    {
        let Self { admission: RequestContext { state, client, limit }, headers, body } = self;
        let judge = |taken: &ApiResult<T>| match taken {
            Err(refused) if refused.status().is_client_error() => Outcome::Failed,
            Ok(_) | Err(_) => Outcome::Unknown,
        };
        // In a task of its own: a sender that hangs up can neither cut it in half nor leave it counted and undecided.
        let task = async move {
            let taking = Box::pin(async move {
                let body = receive_body(&headers, body, most).await?;
                take(Arrived { client, headers, body }).await
            });
            state.limiter.attempt_from(limit, client, taking, judge).await
        };
        tokio::spawn(task.in_current_span()).await.map_err(ApiError::internal)?
    }
}

impl<S: Send + Sync> FromRequest<S> for Unverified {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let admission = admission(&parts)?.clone();
        Ok(Self { admission, headers: parts.headers, body })
    }
}

impl Takes for Unverified {}
