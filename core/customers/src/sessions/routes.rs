//! `GET /session/csrf`, `POST /session`, `DELETE /session` and `POST /session/register`.

use axum::extract::State;
use serde_json::json;

use stoa_kernel::auth::{CsrfToken, LimitClass, Outcome, SessionSecret, SetCookies, end_session, start_session};
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::answer::{Created, Data, Done, NoContent};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, ClientAddress, Uses};
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::i18n::Violation;

use super::answer::{Browser, WithCookies};
use super::rules::{LoginRequest, RegistrationRequest};
use super::uses::Sessions;
use crate::account::{AccountResource, example_account};
use crate::customers::{
    CheckedCustomer, CreateCustomerError, Credentials, CustomerRecord, NewCustomer, insert_customer,
};
use crate::email_tokens::{EmailTokenPurpose, EmailTokenSender};

/// The routes; registering can be switched off (`accounts.registration`).
pub(super) fn session_routes(registration: bool) -> Routes<Credentials> {
    let routes = routes()
        .get("session.csrf", "/session/csrf", csrf)
        .summary("Set the cookie whose value session writes repeat in a header")
        .description("The cookie `XSRF-TOKEN` can be read by the page, which sends its value back as `X-XSRF-TOKEN`.")
        .first_party()
        .post("session.store", "/session", log_in)
        .summary("Log in by e-mail and password")
        .description(
            "Sets the cookie of the session, which scripts cannot read. Wrong credentials are answered with 422 \
             `validation_error`, alike for unknown addresses; too many failures for one address with 429.",
        )
        .body_example(|| json!({"email": "ada@example.com", "password": "correct horse battery staple"}))
        .example(|| json!({"data": example_account("Ada Lovelace")}))
        .first_party()
        .delete("session.destroy", "/session", log_out)
        .summary("Log out")
        .description("Without a session nothing happens.")
        .example(|| json!({"ok": true}))
        .first_party();
    if !registration {
        return routes;
    }
    routes
        .post("session.register", "/session/register", register)
        .summary("Register as a customer and log in")
        .description("An address that has an account already is 422 `validation_error`. Cookies are set as by a login.")
        .body_example(
            || json!({"name": "Ada Lovelace", "email": "ada@example.com", "password": "correct horse battery staple"}),
        )
        .example(|| json!({"data": example_account("Ada Lovelace")}))
        .first_party()
}

async fn csrf(Uses(sessions): Uses<Sessions>, browser: Browser) -> WithCookies<NoContent> {
    let token = CsrfToken::new(&sessions.random, &sessions.cipher, browser.session.as_ref());
    WithCookies { cookies: SetCookies::csrf(&token, &sessions.config, &sessions.base_url), answer: NoContent }
}

async fn log_in(
    State(credentials): State<Credentials>,
    Uses(sessions): Uses<Sessions>,
    ClientAddress(client): ClientAddress,
    browser: Browser,
    Body(request): Body<LoginRequest>,
) -> ApiResult<WithCookies<Data<AccountResource>>> {
    let email = request.email.to_lowercase();
    let checked = credentials.check(&sessions.db, client, &email, request.password).await?;
    let customer = checked.record().clone();
    let cookies = begin(&sessions, browser, customer.user_id, Some(&checked)).await?;
    Ok(WithCookies { cookies, answer: Data(customer.into()) })
}

/// Starts a session under a new id, and ends the one that the browser had: whoever knew the old id
/// knows nothing now. Whoever has logged in with a password is confirmed first; whoever has just registered has none that
/// somebody could have changed.
async fn begin(
    sessions: &Sessions,
    browser: Browser,
    user_id: i64,
    checked: Option<&CheckedCustomer>,
) -> ApiResult<SetCookies> {
    let Browser { session, user_agent } = browser;
    let lasting = &sessions.config.accounts.sessions;
    let secret = sessions
        .db
        .write(async |tx| -> ApiResult<SessionSecret> {
            if let Some(checked) = checked {
                checked.confirm(tx).await?;
            }
            if let Some(old) = &session {
                end_session(tx, old).await?;
            }
            Ok(start_session(tx, &sessions.random, lasting, user_id, user_agent.as_deref()).await?)
        })
        .await?;
    let token = CsrfToken::new(&sessions.random, &sessions.cipher, Some(&secret));
    Ok(SetCookies::session(&secret, &token, &sessions.config, &sessions.base_url))
}

/// Ends the session, if there is one; logging out twice is no mistake.
async fn log_out(Uses(sessions): Uses<Sessions>, browser: Browser) -> ApiResult<WithCookies<Done>> {
    if let Some(session) = &browser.session {
        sessions.db.write(async |tx| end_session(tx, session).await).await?;
    }
    let token = CsrfToken::new(&sessions.random, &sessions.cipher, None);
    let cookies = SetCookies::no_session(&token, &sessions.config, &sessions.base_url);
    Ok(WithCookies { cookies, answer: Done::new() })
}

async fn register(
    State(credentials): State<Credentials>,
    Uses((sessions, sender)): Uses<(Sessions, EmailTokenSender)>,
    ClientAddress(client): ClientAddress,
    browser: Browser,
    Body(request): Body<RegistrationRequest>,
) -> ApiResult<WithCookies<Created<Data<AccountResource>>>> {
    let registering = Box::pin(async {
        let password_hash = credentials.passwords.hash_for(client, request.password).await?;
        let email = request.email.to_lowercase();
        let new = NewCustomer { email, name: request.name, password_hash: Some(password_hash), verified: false };
        let written = sessions.db.write(async |tx| -> Result<CustomerRecord, CreateCustomerError> {
            let customer = insert_customer(tx, new).await?;
            sender.send_email_token(tx, EmailTokenPurpose::VerifyEmail, customer.user_id, &customer.email).await?;
            Ok(customer)
        });
        Ok::<_, ApiError>(written.await)
    });
    // People have to be told that their address is taken, and nobody whose addresses are.
    let judge = |registered: &ApiResult<Result<_, CreateCustomerError>>| match registered {
        Ok(Err(CreateCustomerError::Taken(_))) => Outcome::Failed,
        Ok(_) | Err(_) => Outcome::Unknown,
    };
    let registered = credentials.limiter.attempt_from(LimitClass::TakenEmails, client, registering, judge).await?;
    let customer = registered.map_err(|error| match error {
        CreateCustomerError::Taken(_) => ApiError::invalid_field("email", Violation::Taken.on("email")),
        CreateCustomerError::Email(_) => ApiError::invalid_field("email", Violation::Email.on("email")),
        CreateCustomerError::Name => ApiError::invalid_field("name", Violation::ControlCharacters.on("name")),
        CreateCustomerError::Db(error) => error.into(),
    })?;
    let cookies = begin(&sessions, browser, customer.user_id, None).await?;
    Ok(WithCookies { cookies, answer: Created(Data(customer.into())) })
}
