//! The way of a form of the console that could not be taken: through the login, and back into its page with all that was typed.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use http_body_util::BodyExt;

use super::answer::see_other;
use super::came_from::came_from;
use super::client_address::PeerAddress;
use super::console_guard::{MAX_UPLOAD, refuse_foreign};
use super::form::FormFields;
use super::guard::GuardLayer;
use super::kept_form::{KEPT_FIELD, KeptForm, is_door};
use super::receive::{form_fields, is_form, receive_body};
use super::table::Access;
use crate::auth::LimitClass;
use crate::console::{Staff, Told, find_staff_session, presented_staff_session, texts_of_upload, whose_staff_session};
use crate::http::error::ApiError;
use crate::pages::{add_to_forms, fill_form, tell_typed};

/// What the page says to whoever had to log in again.
const LOGGED_IN_AGAIN: &str =
    "You are logged in again. Nothing has been saved yet: look at what you typed, and send it once more.";

/// What the page says to whoever has to set up a second factor before the form is taken.
const FACTOR_FIRST: &str = "This could not be saved yet. Set up a second factor, and you come back to what you typed.";

/// What the page says to whoever has set one up.
const NOT_SAVED_YET: &str = "Nothing has been saved yet: look at what you typed, and send it once more.";

/// What the page says where it had been open for too long.
const OUT_OF_DATE: &str =
    "This page was out of date, and nothing has been saved yet: look at what you typed, and send it once more.";

/// What the page says where the form is gone.
const FORM_IS_GONE: &str = "The form is not here any more. This is what you typed:";

/// Whoever asks for further pages in the course of one request.
pub(super) struct Asking {
    headers: HeaderMap,
    peer: Option<PeerAddress>,
}

impl Asking {
    pub(super) fn of(parts: &Parts) -> Self {
        let mut headers = parts.headers.clone();
        let of_the_form = [
            header::CONTENT_TYPE,
            header::CONTENT_LENGTH,
            header::TRANSFER_ENCODING,
            header::EXPECT,
            header::ACCEPT_ENCODING,
        ];
        for name in of_the_form {
            headers.remove(name);
        }
        Self { headers, peer: parts.extensions.get::<PeerAddress>().copied() }
    }

    /// With a cookie in place of the one of this name.
    fn with_cookie(&mut self, name: &str, pair: &str) {
        let lines = self.headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).map(str::trim);
        let others = pairs.filter(|known| known.split('=').next() != Some(name));
        let cookies = others.chain([pair]).collect::<Vec<_>>().join("; ");
        if let Ok(cookies) = HeaderValue::from_str(&cookies) {
            self.headers.insert(header::COOKIE, cookies);
        }
    }

    /// With what the page before has left to tell.
    fn with_told(&mut self, told: &Told) {
        let (name, pair) = told.cookie();
        self.with_cookie(name, &pair);
    }

    /// With the cookies that an answer sets.
    fn after(mut self, answer: &Response) -> Self {
        for cookie in answer.headers().get_all(header::SET_COOKIE) {
            let pair = cookie.to_str().ok().and_then(|line| line.split(';').next());
            if let Some((name, pair)) = pair.and_then(|pair| Some((pair.split('=').next()?, pair))) {
                self.with_cookie(name, pair);
            }
        }
        self
    }
}

impl GuardLayer {
    /// The answer to a form that was sent in a session that is over, or lacks a second factor: the login, or the page to set one up,
    /// which keeps what was typed.
    pub(super) async fn keep_through_login(&self, request: Request<Body>, location: &str) -> Response {
        let (parts, body) = request.into_parts();
        let mut asking = Asking::of(&parts);
        if !is_door(&self.state.shop.config.console.path.0, location) {
            asking.with_told(&Told::new(FACTOR_FIRST).bad());
        }
        let shown = match self.kept_of(&parts, body).await {
            Ok(Some(kept)) => self.at_door(&asking, location, &kept).await,
            Ok(None) => None,
            Err(refused) => return refused.into_response(),
        };
        shown.unwrap_or_else(|| see_other(location))
    }

    /// What was typed into a form that nobody has let in; none where no page of the console has sent it.
    async fn kept_of(&self, parts: &Parts, body: Body) -> Result<Option<KeptForm>, ApiError> {
        let shop = &self.state.shop;
        if self.name == "console.logout" || refuse_foreign(self, &parts.headers).is_err() {
            return Ok(None);
        }
        let request = Request::from_parts(parts.clone(), ());
        self.state.limiter.count_address(LimitClass::Protected, self.state.client(&request)).await?;
        let staff_id = match presented_staff_session(&parts.headers, &shop.base_url) {
            Some(secret) => whose_staff_session(&shop.db, &secret).await?,
            None => None,
        };
        let bytes = receive_body(&parts.headers, body, MAX_UPLOAD).await?;
        let sent = if is_form(&parts.headers) {
            FormFields::from(form_fields(&bytes))
        } else {
            texts_of_upload(&parts.headers, bytes).await.unwrap_or_default()
        };
        Ok(self.kept(parts, staff_id, &sent))
    }

    fn kept(&self, parts: &Parts, staff_id: Option<i64>, sent: &FormFields) -> Option<KeptForm> {
        let shop = &self.state.shop;
        let came_from = came_from(&parts.headers, &shop.base_url);
        KeptForm::new(&shop.config.console.path.0, staff_id, (parts.uri.path(), came_from), sent)
    }

    /// The page with the form once more, for whoever is logged in and has sent it from a page that was out of date.
    pub(super) async fn show_out_of_date(&self, parts: &Parts, sent: &FormFields) -> Option<Response> {
        let staff_id = parts.extensions.get::<Staff>()?.session.staff_id;
        let kept = self.kept(parts, Some(staff_id), sent)?;
        self.put_back(Asking::of(parts), &kept, OUT_OF_DATE).await
    }

    /// What follows a form of the login that carried something: the login goes on carrying it, or the page has it back.
    pub(super) async fn carry_on(&self, asking: Asking, kept: &KeptForm, answer: Response) -> Response {
        let console = &self.state.shop.config.console.path.0;
        let location = answer.headers().get(header::LOCATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let mut asking = asking.after(&answer);
        if let Some(told) = answer.extensions().get::<Told>() {
            asking.with_told(told);
        }
        let shown = match &location {
            None if is_page(&answer) => return self.carried_by(answer, kept).await,
            None => None,
            Some(location) if is_door(console, location) => self.at_door(&asking, location, kept).await,
            Some(_) if self.lacks_factor(&asking).await => {
                self.at_door(&asking, &format!("{console}/security"), kept).await
            }
            Some(_) if self.access == Access::ConsoleDoor => self.put_back(asking, kept, LOGGED_IN_AGAIN).await,
            Some(_) => self.put_back(asking, kept, NOT_SAVED_YET).await,
        };
        let Some(mut shown) = shown else { return answer };
        for cookie in answer.headers().get_all(header::SET_COOKIE) {
            shown.headers_mut().append(header::SET_COOKIE, cookie.clone());
        }
        shown
    }

    /// A page of the login whose forms carry what was typed.
    async fn at_door(&self, asking: &Asking, location: &str, kept: &KeptForm) -> Option<Response> {
        let page = self.page(asking, location).await?;
        Some(self.carried_by(page, kept).await)
    }

    async fn carried_by(&self, page: Response, kept: &KeptForm) -> Response {
        let shop = &self.state.shop;
        let console = &shop.config.console.path.0;
        let sealed = kept.seal(&shop.cipher).unwrap_or_default();
        match read(page).await {
            Ok((parts, html)) => {
                let carried = ["login", "security"]
                    .iter()
                    .fold(html, |html, door| add_to_forms(&html, &format!("{console}/{door}"), KEPT_FIELD, &sealed));
                with_html(parts, carried)
            }
            Err(error) => error.into_response(),
        }
    }

    /// Whether whoever asks has to set up a second factor before anything else.
    async fn lacks_factor(&self, asking: &Asking) -> bool {
        let shop = &self.state.shop;
        let config = &shop.config.console;
        let Some(secret) = presented_staff_session(&asking.headers, &shop.base_url) else { return false };
        let session = find_staff_session(&shop.db, config, &secret).await.ok().flatten();
        config.require_second_factor
            && session.is_some_and(|session| !session.awaits_factor && !session.has_second_factor)
    }

    /// The page of the form with all that was typed, for whose it is.
    async fn put_back(&self, mut asking: Asking, kept: &KeptForm, told: &str) -> Option<Response> {
        let shop = &self.state.shop;
        let secret = presented_staff_session(&asking.headers, &shop.base_url)?;
        let session = find_staff_session(&shop.db, &shop.config.console, &secret).await.ok()??;
        if session.awaits_factor || kept.staff_id.is_some_and(|staff_id| staff_id != session.staff_id) {
            return None;
        }
        asking.with_told(&Told::new(told).bad());
        let mut nearest = None;
        for address in &kept.pages {
            let Some(page) = self.page(&asking, address).await else { continue };
            let (parts, html) = read(page).await.ok()?;
            if let Some(filled) = fill_form(&html, address, &kept.action, &kept.typed) {
                return Some(with_html(parts, filled));
            }
            nearest.get_or_insert((parts, html));
        }
        let (parts, html) = nearest?;
        tell_typed(&html, FORM_IS_GONE, &kept.typed).map(|html| with_html(parts, html))
    }

    /// A page of the console as the same browser gets it; none of what is no page for it.
    async fn page(&self, asking: &Asking, address: &str) -> Option<Response> {
        let mut request = Request::get(address).body(Body::empty()).ok()?;
        *request.headers_mut() = asking.headers.clone();
        if let Some(peer) = asking.peer {
            request.extensions_mut().insert(peer);
        }
        let answer = self.state.shop.own_api.open(request).await.ok()?;
        (answer.status() == StatusCode::OK && is_page(&answer)).then_some(answer)
    }
}

fn is_page(answer: &Response) -> bool {
    answer.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

async fn read(page: Response) -> Result<(http::response::Parts, String), ApiError> {
    let (parts, body) = page.into_parts();
    let bytes = body.collect().await.map_err(ApiError::internal)?.to_bytes();
    Ok((parts, String::from_utf8_lossy(&bytes).into_owned()))
}

fn with_html(mut parts: http::response::Parts, html: String) -> Response {
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(html))
}
