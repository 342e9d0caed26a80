//! One page in the making: who looks at it, what every page shows, and how it is answered.

use std::hash::Hash;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use cookie::time::Duration;
use cookie::{Cookie, SameSite};
use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use serde_json::{Map, Value, json};

use stoa_core::catalog::path_segment;
use stoa_core::chrono::TimeDelta;
use stoa_core::from_shop;
use stoa_core::from_shop::{CatalogVersion, Frozen};
use stoa_core::gateways::GatewayTable;
use stoa_core::http::accept::takes_gzip;
use stoa_core::http::extract::Uses;
use stoa_core::http::shape::Takes;
use stoa_core::http::shared_cache::{SharedAnswer, SurrogateKeys, keep_from_sharing};
use stoa_core::pages::answer::{Html, HtmlPage, Keeping, PageResponse, see_other};
use stoa_core::pages::{ApiAnswer, OwnedPanel, PanelOn, TemplateValue, Visitor};
use stoa_core::prelude::*;

pub(crate) use crate::storefront::Storefront;

use crate::forms::name_fields;
use crate::frame::{frame, offers_withdrawal};
use crate::queries::FIND_LOOSE_PRODUCT;
use crate::storefront::KeptPage;

/// Holds a guest's cart.
const CART_COOKIE: &str = "cart";

/// Says once, on the next page, what has happened.
const NOTICE_COOKIE: &str = "notice";

/// Carries the token of a cart (contract 2.1).
pub(crate) const CART_HEADER: &str = "x-cart-token";

/// Of pages that caches outside must not answer with by themselves.
const ASKED_EACH_TIME: HeaderValue = HeaderValue::from_static("public, max-age=0, must-revalidate");

/// How long a page is kept at most: what modules say of products, such as how many places are left, does not change the catalog.
const KEPT_FOR: TimeDelta = TimeDelta::seconds(5);

from_shop! {
    /// What pages know of the shop.
    #[derive(Clone)]
    pub(crate) struct Shop {
        /// What is there before it has a database.
        pub(crate) frozen: Frozen,
        /// How orders can be paid.
        pub(crate) gateways: Arc<GatewayTable>,
        /// The time.
        pub(crate) clock: Clock,
        /// Which version of the catalog is shown.
        pub(crate) catalog_version: CatalogVersion,
        /// What is read beside the API.
        pub(crate) db: Db,
    }
}

impl Deref for Shop {
    type Target = Frozen;

    fn deref(&self) -> &Frozen {
        &self.frozen
    }
}

/// One page in the making.
pub(crate) struct View {
    pub(crate) storefront: Storefront,
    pub(crate) shop: Shop,
    pub(crate) visitor: Visitor,
    /// The path with its query, as the browser asked.
    pub(crate) target: String,
    /// The path alone.
    pub(crate) path: String,
    categories: Value,
    /// Whether there are products that stand in no category.
    has_loose: bool,
    /// The version of the catalog when the page was asked for.
    version: i64,
    /// The keys of all that the page is made of; none once something in it may be kept by nobody.
    keys: Option<SurrogateKeys>,
}

impl FromRequestParts<Storefront> for View {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, storefront: &Storefront) -> Result<Self, ApiError> {
        let visitor = Visitor::from_request_parts(parts, storefront).await?;
        let Uses(shop) = Uses::<Shop>::from_request_parts(parts, storefront).await?;
        let target = parts.uri.path_and_query().map_or_else(|| parts.uri.path().to_owned(), ToString::to_string);
        Ok(Self::of(storefront.clone(), shop, visitor, target))
    }
}

impl Takes for View {}

impl View {
    /// The page at this path, which may have a query.
    pub(crate) fn of(storefront: Storefront, shop: Shop, visitor: Visitor, target: String) -> Self {
        let path = target.split('?').next().unwrap_or_default().to_owned();
        let version = shop.catalog_version.get();
        let keys = shop.config.catalog.cache.map(|_| SurrogateKeys::default());
        Self { storefront, shop, visitor, target, path, categories: Value::Null, has_loose: false, version, keys }
    }

    /// Whether the page says something about who looks at it.
    pub(crate) fn is_personal(&self) -> bool {
        self.visitor.has_session()
            || [CART_COOKIE, NOTICE_COOKIE]
                .iter()
                .any(|name| self.visitor.cookie(name).is_some_and(|value| !value.is_empty()))
    }

    /// Whether customers have a right of withdrawal.
    pub(crate) fn offers_withdrawal(&self) -> bool {
        offers_withdrawal(&self.shop.config)
    }

    /// The names of the templates that modules bring to a page.
    pub(crate) fn panels(&self, on: PanelOn) -> Vec<String> {
        self.shop.panels.iter().filter(|owned| owned.panel.on == on).map(OwnedPanel::template_name).collect()
    }

    /// What was bought, as each module shows it. What was not bought is left out.
    pub(crate) async fn bought(&mut self, headers: &[(&'static str, &str)]) -> ApiResult<Vec<Value>> {
        let mut bought = self.answered(PanelOn::Purchases, "", headers).await?;
        bought.retain(|panel| panel["answer"]["data"].as_array().is_none_or(|data| !data.is_empty()));
        Ok(bought)
    }

    /// The panels of a page: the template of each, and what the API answers to these headers. What it refuses is left out.
    pub(crate) async fn answered(
        &mut self,
        on: PanelOn,
        slug: &str,
        headers: &[(&'static str, &str)],
    ) -> ApiResult<Vec<Value>> {
        let owned = Arc::clone(&self.shop.panels);
        let mut panels = Vec::new();
        for owned in owned.iter().filter(|owned| owned.panel.on == on) {
            let Some(answer) = self.answer_to(owned.panel.path, slug, headers).await? else { continue };
            let own = owned.panel.own.filter(|_| self.visitor.has_session());
            let own = self.answer_to(own, slug, headers).await?;
            panels.push(json!({"template": owned.template_name(), "answer": answer, "own": own}));
        }
        Ok(panels)
    }

    /// What the API answers below a path, and null for no path; none where it refuses.
    async fn answer_to(
        &mut self,
        path: Option<&str>,
        slug: &str,
        headers: &[(&'static str, &str)],
    ) -> ApiResult<Option<Value>> {
        let Some(path) = path else { return Ok(Some(Value::Null)) };
        let answer = self.visitor.get(&path.replace("{slug}", &path_segment(slug)), headers).await?;
        Ok(answer.status.is_success().then(|| answer.json()))
    }

    /// The parameters of the address, each once.
    pub(crate) fn query(&self) -> Map<String, Value> {
        let query = self.target.split_once('?').map_or("", |(_, query)| query);
        url::form_urlencoded::parse(query.as_bytes()).map(|(name, value)| (name.into_owned(), value.into())).collect()
    }

    /// Asks the API with the visitor's cart.
    pub(crate) async fn ask(&mut self, path: &str) -> ApiResult<ApiAnswer> {
        if let Some(token) = self.cart_token() {
            let answer = self.visitor.get(path, &[(CART_HEADER, token.as_str())]).await?;
            return Ok(self.noting_cart(answer));
        }
        let answer = self.visitor.get(path, &[]).await?;
        self.note_keys(&answer);
        Ok(answer)
    }

    /// A page may be kept as long as all that it is made of.
    fn note_keys(&mut self, answer: &ApiAnswer) {
        self.keys = self.keys.take().and_then(|mut keys| keys.add_those_of(&answer.headers).then_some(keys));
    }

    /// Sends something to the API with the visitor's cart.
    pub(crate) async fn send(&mut self, method: http::Method, path: &str, body: &Value) -> ApiResult<ApiAnswer> {
        let token = self.cart_token();
        let headers = token.as_deref().map(|token| (CART_HEADER, token));
        let answer = self.visitor.call(method, path, body, headers.as_slice()).await?;
        Ok(self.noting_cart(answer))
    }

    fn cart_token(&self) -> Option<String> {
        self.visitor.cookie(CART_COOKIE).filter(|token| !token.is_empty()).map(str::to_owned)
    }

    /// Remembers the cart's token in the browser.
    fn noting_cart(&mut self, answer: ApiAnswer) -> ApiAnswer {
        if let Some(token) = answer.header(CART_HEADER).map(str::to_owned)
            && self.visitor.cookie(CART_COOKIE) != Some(token.as_str())
        {
            self.set_cookie(CART_COOKIE, token, Some(Duration::days(30)));
        }
        answer
    }

    /// Has the next page say something.
    pub(crate) fn notice(&mut self, key: &str) {
        self.set_cookie(NOTICE_COOKIE, key.to_owned(), Some(Duration::minutes(1)));
    }

    /// Has the browser keep a cookie for a time, or as long as it is open.
    pub(crate) fn set_cookie(&mut self, name: &'static str, value: String, lasts: Option<Duration>) {
        let cookie = Cookie::build((name, value)).path("/").http_only(true).same_site(SameSite::Lax);
        let cookie = cookie.secure(self.shop.base_url.starts_with("https:"));
        let cookie = lasts.into_iter().fold(cookie, cookie::CookieBuilder::max_age);
        self.visitor.set_cookie(&cookie.build());
    }

    /// Sends the browser on, after a form.
    pub(crate) fn redirect(self, location: &str) -> PageResponse {
        self.finish(see_other(location))
    }

    /// Answers with the cookies that have changed.
    pub(crate) fn finish(self, mut response: Response) -> PageResponse {
        self.visitor.write_cookies(response.headers_mut());
        if response.headers().contains_key(header::SET_COOKIE) {
            keep_from_sharing(response.headers_mut());
        }
        PageResponse(response)
    }

    /// The page as it was made for whoever came before; the view once more where it has to be made.
    #[expect(clippy::result_large_err, reason = "the view comes back to make the page; a box would be made for each")]
    pub(crate) fn kept(self, template: &str) -> Result<PageResponse, Self> {
        if self.is_personal() {
            return Err(self);
        }
        let kept = self.storefront.kept_page(&self.names(template));
        let is_current =
            |kept: &Arc<KeptPage>| kept.version == self.version && self.shop.clock.now() - kept.made_at < KEPT_FOR;
        match kept.filter(is_current) {
            Some(kept) => Ok(self.answer(kept.html.clone(), kept.shared.clone())),
            None => Err(self),
        }
    }

    /// What tells a page from all others.
    fn names(&self, template: &str) -> impl Hash {
        (template.to_owned(), self.target.clone(), self.visitor.language)
    }

    /// Fills a template and answers it. What says nothing about who looks at it is kept.
    pub(crate) async fn show(mut self, template: &str, values: Value) -> ApiResult<PageResponse> {
        if self.is_personal() {
            return self.show_as(StatusCode::OK, template, values).await;
        }
        let categories = self.categories().await?;
        let html = Html::from(self.fill(template, values, categories, Value::Null, Value::Null)?);
        let cache = self.shop.config.catalog.cache;
        let shared = cache.zip(self.keys.take()).map(|(cache, keys)| SharedAnswer::new(cache, keys));
        let made_at = self.shop.clock.now();
        let kept = KeptPage { version: self.version, made_at, html: html.clone(), shared: shared.clone() };
        self.storefront.keep(&self.names(template), kept);
        Ok(self.answer(html, shared))
    }

    /// Fills a template with what is the same for everybody, though nothing tells when that changes: caches keep it for a minute, and
    /// nothing is kept here.
    pub(crate) async fn show_for_a_minute(mut self, template: &str, values: Value) -> ApiResult<PageResponse> {
        let categories = self.categories().await?;
        let html = Html::from(self.fill(template, values, categories, Value::Null, Value::Null)?);
        let takes_gzip = takes_gzip(&self.visitor.headers);
        let page = HtmlPage { status: StatusCode::OK, html, keeping: Keeping::Everybody, takes_gzip };
        Ok(self.finish(page.into_response()))
    }

    fn answer(self, html: Html, shared: Option<SharedAnswer>) -> PageResponse {
        let takes_gzip = takes_gzip(&self.visitor.headers);
        let page = HtmlPage { status: StatusCode::OK, html, keeping: Keeping::Everybody, takes_gzip };
        let mut response = page.into_response();
        match shared {
            Some(shared) => shared.write(response.headers_mut()),
            // Something in it is right for this moment only.
            None if self.shop.config.catalog.cache.is_some() => {
                response.headers_mut().insert(header::CACHE_CONTROL, ASKED_EACH_TIME);
            }
            None => {}
        }
        self.finish(response)
    }

    /// Fills a template with what belongs to this visitor, and answers it with a status.
    pub(crate) async fn show_as(
        mut self,
        status: StatusCode,
        template: &str,
        values: Value,
    ) -> ApiResult<PageResponse> {
        let categories = self.categories().await?;
        let account = self.account().await?;
        let cart = self.cart().await?;
        let html = self.fill(template, values, categories, account, cart)?;
        if self.visitor.cookie(NOTICE_COOKIE).is_some() {
            self.set_cookie(NOTICE_COOKIE, String::new(), Some(Duration::ZERO));
        }
        let html = Html::from(html);
        let page = HtmlPage { status, html, keeping: Keeping::Nobody, takes_gzip: takes_gzip(&self.visitor.headers) };
        Ok(self.finish(page.into_response()))
    }

    /// Whoever is logged in; null for nobody.
    pub(crate) async fn account(&mut self) -> ApiResult<Value> {
        if !self.visitor.has_session() {
            return Ok(Value::Null);
        }
        let answer = self.visitor.get("/me", &[]).await?;
        Ok(if answer.status.is_success() { answer.data() } else { Value::Null })
    }

    /// The visitor's cart; null for one who never had one.
    pub(crate) async fn cart(&mut self) -> ApiResult<Value> {
        if self.cart_token().is_none() && !self.visitor.has_session() {
            return Ok(Value::Null);
        }
        Ok(self.ask("/cart").await?.data())
    }

    /// The categories at the top of each page, asked for once.
    pub(crate) async fn categories(&mut self) -> ApiResult<Value> {
        if self.categories.is_null() {
            let answer = self.visitor.get("/categories", &[]).await?;
            self.note_keys(&answer);
            self.categories = answer.data();
            let looked = self.storefront.has_loose().of(&self.shop.catalog_version, async {
                Ok(self.shop.db.read(FIND_LOOSE_PRODUCT).optional_scalar::<i64>().await?.is_some())
            });
            self.has_loose = looked.await?;
        }
        Ok(self.categories.clone())
    }

    fn fill(&self, template: &str, values: Value, categories: Value, account: Value, cart: Value) -> ApiResult<String> {
        let language = self.visitor.language;
        let mut all = frame(&self.storefront, &self.shop, language, &self.path);
        all["target"] = json!(self.target);
        all["card_panels"] = json!(self.panels(PanelOn::Card));
        all["line_panels"] = json!(self.panels(PanelOn::Line));
        all["categories"] = categories;
        all["has_loose_products"] = json!(self.has_loose);
        all["session_has_ended"] = json!(account.is_null() && self.visitor.has_session());
        all["account"] = account;
        all["cart_count"] = cart["item_count"].clone();
        all["notice"] = json!(self.visitor.cookie(NOTICE_COOKIE).filter(|key| is_notice(key)));
        let mut values = values;
        for refusal in ["/refusal", "/listing/refusal"] {
            if values.pointer(refusal).is_some_and(Value::is_object) {
                let options = values.pointer("/product/options").cloned().unwrap_or_default();
                let refusal = values.pointer_mut(refusal).expect("it was there");
                let say = |key: &str| self.shop.texts.say_by_key(key, &[], language);
                let missing = |name: &str| self.shop.texts.say(&Violation::Required.on(name.to_owned()), language);
                name_fields(refusal, &options, say, missing);
            }
        }
        let (Value::Object(all_members), Value::Object(values)) = (&mut all, values) else {
            return Err(ApiError::internal("a page's values are no object"));
        };
        all_members.extend(values);
        // What the page has, for the cart's own page, wins.
        all_members.entry("cart").or_insert(cart);
        let theme = self.storefront.theme(&self.shop)?;
        theme.render(template, &TemplateValue::from_serialize(&all)).map_err(ApiError::internal)
    }
}

/// Notices are keys of this module's texts, and nothing that somebody else has put into the cookie.
fn is_notice(key: &str) -> bool {
    key.len() <= 40 && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}
