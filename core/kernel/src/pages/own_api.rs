//! The shop's API, asked from within the program.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock, Weak};

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tower_service::Service;

use crate::http::carry_over;
use crate::http::error::ApiError;
use crate::i18n::{Language, Texts};

/// Marks a request that a page makes for the visitor at this address: reading counts against no limit once more, and a form that
/// the page's guard has let in need not prove a second time where it comes from. Nothing outside of the program can set it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FromPage {
    pub(crate) client: IpAddr,
}

/// The shop's routes, for whom a request within the program is as good as one from outside.
#[derive(Clone, Default)]
pub struct OwnApi(Arc<OnceLock<Weak<Router>>>);

/// What the API answers to a page.
#[derive(Debug, Clone)]
pub struct ApiAnswer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub body: Bytes,
}

impl ApiAnswer {
    /// The body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// What the member `data` holds; null without one.
    pub fn data(&self) -> Value {
        match self.json() {
            Value::Object(mut members) => members.remove("data").unwrap_or_default(),
            _ => Value::Null,
        }
    }

    /// The text of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl OwnApi {
    /// Has requests go to these routes, as long as they are there. Once for a shop.
    pub fn connect(&self, routes: &Arc<Router>) {
        // A second shop on the same parts asks the first one's routes: they are the same.
        let _ = self.0.set(Arc::downgrade(routes));
    }

    /// Makes a request. What the API refuses is an answer like others, put into words; what fails in it is this error.
    pub(super) async fn ask(
        &self,
        request: Request<Body>,
        texts: &Texts,
        language: Language,
    ) -> Result<ApiAnswer, ApiError> {
        let mut response = self.call(request).await?;
        if let Some(error) = response.extensions_mut().remove::<ApiError>() {
            if error.status().is_server_error() {
                return Err(error);
            }
            let mut rendered = error.render(texts, language);
            carry_over(response, &mut rendered);
            response = rendered;
        }
        read(response).await
    }

    /// Makes a request for a file, which comes as it is read.
    pub(crate) async fn open(&self, request: Request<Body>) -> Result<Response, ApiError> {
        let mut response = self.call(request).await?;
        match response.extensions_mut().remove::<ApiError>() {
            Some(error) => Err(error),
            None => Ok(response),
        }
    }

    async fn call(&self, request: Request<Body>) -> Result<Response, ApiError> {
        let routes = self.0.get().and_then(Weak::upgrade);
        let mut routes =
            routes.map(|routes| Router::clone(&routes)).ok_or_else(|| ApiError::internal("the shop is closed"))?;
        let Ok(response) = Service::call(&mut routes, request).await;
        Ok(response)
    }
}

async fn read(response: Response) -> Result<ApiAnswer, ApiError> {
    let (parts, body) = response.into_parts();
    let body = body.collect().await.map_err(ApiError::internal)?.to_bytes();
    Ok(ApiAnswer { status: parts.status, headers: parts.headers, body })
}
