//! Who is let in: limits first, then who it is, what they may, and whether a page of the shop's own has made a write.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use http::Request;
use tracing::Span;

use super::error::ApiError;
use super::guard::{Authenticated, GuardLayer, RequestContext, reads_only};
use super::table::Access;
use crate::auth::{LimitClass, LimitReached, LimitState, Principal, refuse_foreign_page};
use crate::order_link::OpenedOrder;
use crate::pages::FromPage;

/// The page that makes a request on its visitor's behalf; none for requests from outside.
fn from_page(request: &Request<Body>) -> Option<FromPage> {
    request.extensions().get::<FromPage>().copied()
}

/// Whether the page that makes a request has been counted against the same limit.
fn is_counted_already(page: Option<FromPage>, limit: LimitClass) -> bool {
    page.is_some() && matches!(limit, LimitClass::Catalog | LimitClass::Protected)
}

/// A token keeps to its networks.
fn refuse_foreign_network(principal: &Principal, client: IpAddr) -> Result<(), ApiError> {
    match principal {
        Principal::Bearer(bearer) if !bearer.allows_address(client) => Err(ApiError::ip_not_allowed()),
        Principal::Bearer(_) | Principal::Session(_) => Ok(()),
    }
}

impl GuardLayer {
    pub(super) async fn admit(
        &self,
        request: &mut Request<Body>,
        standing: &mut Option<LimitState>,
    ) -> Result<(), ApiError> {
        let state = &self.state;
        let client = from_page(request).map_or_else(|| state.client(request), |page| page.client);
        request.extensions_mut().insert(RequestContext { state: Arc::clone(state), client, limit: self.limit });
        match self.access {
            Access::Public(class) => {
                *standing = self.count_address(from_page(request), class, client).await?;
                Ok(())
            }
            // Boxed, so that public routes, which ask nobody who they are, do not carry the room that this needs.
            Access::Cart => Box::pin(self.admit_visitor(request, client, standing)).await,
            // Its own limit counts by what the body says; this one comes before a body is read. The headers are those of its own.
            Access::Credentials => {
                self.count_address(from_page(request), LimitClass::Protected, client).await?;
                Ok(())
            }
            Access::FirstParty => {
                *standing = self.count_address(from_page(request), LimitClass::Protected, client).await?;
                self.check_forgery(request)
            }
            Access::Session => Box::pin(self.admit_browser(request, client, standing)).await,
            // What is sent counts before it is read; the headers are those of pages.
            Access::Page | Access::ShopPage if !reads_only(request.method()) => {
                state.limiter.count_address(self.limit, client).await?;
                refuse_foreign_page(&state.shop.config, &state.shop.base_url, request.headers())
            }
            Access::ShopPage => {
                state.limiter.count_address(LimitClass::Catalog, client).await?;
                Ok(())
            }
            // Those of the console have a guard of their own.
            Access::Console(_) | Access::ConsoleDoor => Err(ApiError::not_found()),
            Access::Page | Access::Callback => Ok(()),
            Access::Ability(_)
                if self.by_order_key
                    && reads_only(request.method())
                    && OpenedOrder::is_asked_for(request.headers()) =>
            {
                Box::pin(self.admit_by_order_key(request, client, standing)).await
            }
            Access::Ability(_) | Access::Unmapped | Access::ByPrefix => {
                Box::pin(self.admit_customer(request, client, standing)).await
            }
        }
    }

    async fn admit_customer(
        &self,
        request: &mut Request<Body>,
        client: IpAddr,
        standing: &mut Option<LimitState>,
    ) -> Result<(), ApiError> {
        let page = from_page(request);
        let principal = self.state.authentication.principal(request.headers()).await;
        *standing = self.count(page, &principal, client).await?;
        let principal = principal?;
        let ability = match self.access {
            Access::Ability(ability) => ability,
            Access::Unmapped
            | Access::ByPrefix
            | Access::Public(_)
            | Access::Cart
            | Access::Credentials
            | Access::FirstParty
            | Access::Session
            | Access::Page
            | Access::ShopPage
            | Access::Callback
            | Access::Console(_)
            | Access::ConsoleDoor => {
                tracing::warn!(route = self.name, "refused: no ability is mapped to the route's prefix");
                return Err(ApiError::unmapped_api_route());
            }
        };
        refuse_foreign_network(&principal, client)?;
        if !principal.may(ability) {
            return Err(ApiError::insufficient_scope(ability));
        }
        self.let_in(request, principal)
    }

    /// Lets in whoever has the key of an order's link. It is nobody's credential: the request has no customer, only that order.
    async fn admit_by_order_key(
        &self,
        request: &mut Request<Body>,
        client: IpAddr,
        standing: &mut Option<LimitState>,
    ) -> Result<(), ApiError> {
        *standing = self.count_address(from_page(request), self.limit, client).await?;
        let opened = OpenedOrder::find(request.headers(), &self.state.shop.db, &self.state.order_links).await?;
        request.extensions_mut().insert(opened);
        Ok(())
    }

    async fn admit_browser(
        &self,
        request: &mut Request<Body>,
        client: IpAddr,
        standing: &mut Option<LimitState>,
    ) -> Result<(), ApiError> {
        let page = from_page(request);
        let principal = self.state.authentication.browser(request.headers()).await;
        *standing = self.count(page, &principal, client).await?;
        self.let_in(request, principal?)
    }

    /// Lets everybody in, customers as themselves. No ability is asked for, but a token keeps to its networks.
    async fn admit_visitor(
        &self,
        request: &mut Request<Body>,
        client: IpAddr,
        standing: &mut Option<LimitState>,
    ) -> Result<(), ApiError> {
        let page = from_page(request);
        let visitor = self.state.authentication.visitor(request.headers()).await;
        let Some(principal) = visitor.transpose() else {
            *standing = self.count_address(page, LimitClass::Protected, client).await?;
            return Ok(());
        };
        *standing = self.count(page, &principal, client).await?;
        let principal = principal?;
        refuse_foreign_network(&principal, client)?;
        self.let_in(request, principal)
    }

    /// The limit counts per user, or per address while nobody is authenticated, and comes first.
    async fn count(
        &self,
        page: Option<FromPage>,
        principal: &Result<Principal, ApiError>,
        client: IpAddr,
    ) -> Result<Option<LimitState>, LimitReached> {
        if is_counted_already(page, self.limit) {
            return Ok(None);
        }
        match principal {
            Ok(principal) => self.state.limiter.count_user(self.limit, principal.user_id()).await,
            Err(_) => self.state.limiter.count_address(self.limit, client).await,
        }
    }

    async fn count_address(
        &self,
        page: Option<FromPage>,
        limit: LimitClass,
        client: IpAddr,
    ) -> Result<Option<LimitState>, LimitReached> {
        if is_counted_already(page, limit) {
            return Ok(None);
        }
        self.state.limiter.count_address(limit, client).await
    }

    /// Leaves in the request whose it is. A session's write must come from a page of the shop's own.
    fn let_in(&self, request: &mut Request<Body>, principal: Principal) -> Result<(), ApiError> {
        if matches!(principal, Principal::Session(_)) {
            self.check_forgery(request)?;
        }
        self.attach_principal(request, principal);
        Ok(())
    }

    fn attach_principal(&self, request: &mut Request<Body>, principal: Principal) {
        let state = &self.state;
        Span::current().record("customer", principal.customer_id());
        state.usage.note(&principal, &state.shop.config.accounts.sessions, state.shop.db.now());
        request.extensions_mut().insert(Authenticated {
            customer_id: principal.customer_id(),
            user_id: principal.user_id(),
            token_id: principal.token_id(),
            holder: principal.into_holder(),
        });
    }

    fn check_forgery(&self, request: &Request<Body>) -> Result<(), ApiError> {
        if reads_only(request.method()) || from_page(request).is_some() {
            return Ok(());
        }
        self.state.authentication.check_forgery(request.headers())
    }
}
