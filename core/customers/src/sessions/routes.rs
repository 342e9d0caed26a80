//! `GET /session/csrf`, `POST /session`, `DELETE /session` and `POST /session/register`.

use axum::extract::State;
use serde_json::json;

use stoa_kernel::auth::{CsrfToken, LimitClass, Outcome, SessionSecret, SetCookies, end_session, start_session};
use stoa_kernel::config::AccountsConfig;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::Tx;
use stoa_kernel::http::answer::{Created, Data, Done, NoContent};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, ClientAddress, ClientLanguage, Uses};
use stoa_kernel::http::table::{Routes, routes};

use super::answer::{Browser, WithCookies};
use super::rules::{LoginRequest, RegistrationRequest};
use super::uses::Sessions;
use crate::account::{AccountResource, example_account, example_guest};
use crate::customers::{CreateCustomerError, Credentials, CustomerRecord, NewCustomer, insert_customer};
use crate::email_tokens::{EmailTokenPurpose, EmailTokenSender};
use crate::guests::{
    GuestIsGone, GuestLeftBehind, GuestLoggedOut, GuestRequest, confirm_guest, count_guest, guest_of_session,
    insert_guest,
};

/// The routes; registering and guests can be switched off (`accounts.registration`, `accounts.guests`).
pub(super) fn session_routes(accounts: &AccountsConfig) -> Routes<Credentials> {
    let mut routes = routes()
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
    if accounts.guests {
        routes = with_guests(routes);
    }
    if accounts.registration {
        routes = with_registration(routes);
    }
    routes
}

fn with_guests(routes: Routes<Credentials>) -> Routes<Credentials> {
    routes
        .post("session.guest", "/session/guest", begin_as_guest)
        .summary("Begin to buy as a guest, without an account")
        .description(
            "Every call makes a guest of its own, whatever the e-mail address: none sees what another has bought. Whoever \
             registers with the address later and confirms it gets the orders. Cookies are set as by a login.",
        )
        .body_example(|| json!({"email": "ada@example.com", "name": "Ada Lovelace"}))
        .example(|| json!({"data": example_guest("Ada Lovelace")}))
        .first_party()
}

fn with_registration(routes: Routes<Credentials>) -> Routes<Credentials> {
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
    let (cookies, customer) = begin(&sessions, browser, async |tx| {
        checked.confirm(tx).await?;
        Ok(checked.record().clone())
    })
    .await?;
    Ok(WithCookies { cookies, answer: Data(customer.into()) })
}

/// Starts a session for whom `admit` lets in, under a new id, and ends the one that the browser had: whoever knew the old id
/// knows nothing now. A guest who was there before hands over what is not bought yet.
async fn begin(
    sessions: &Sessions,
    browser: Browser,
    admit: impl AsyncFnOnce(&mut Tx) -> ApiResult<CustomerRecord>,
) -> ApiResult<(SetCookies, CustomerRecord)> {
    let Browser { session, user_agent } = browser;
    let lasting = &sessions.config.accounts.sessions;
    let (secret, customer) = sessions
        .db
        .write(async |tx| -> ApiResult<(SessionSecret, CustomerRecord)> {
            let customer = admit(tx).await?;
            if let Some(old) = &session {
                if let Some(guest_id) = guest_of_session(tx, old).await? {
                    tx.announce(&GuestLeftBehind { guest_id, customer_id: customer.id }).await?;
                }
                end_session(tx, old).await?;
            }
            let secret = start_session(tx, &sessions.random, lasting, customer.user_id, user_agent.as_deref()).await?;
            Ok((secret, customer))
        })
        .await?;
    let token = CsrfToken::new(&sessions.random, &sessions.cipher, Some(&secret));
    Ok((SetCookies::session(&secret, &token, &sessions.config, &sessions.base_url), customer))
}

/// Ends the session, if there is one; logging out twice is no mistake.
async fn log_out(Uses(sessions): Uses<Sessions>, browser: Browser) -> ApiResult<WithCookies<Done>> {
    if let Some(session) = &browser.session {
        sessions.db.write(async |tx| end(tx, session).await).await?;
    }
    let token = CsrfToken::new(&sessions.random, &sessions.cipher, None);
    let cookies = SetCookies::no_session(&token, &sessions.config, &sessions.base_url);
    Ok(WithCookies { cookies, answer: Done::new() })
}

/// Ends a session. A guest has no way back in: who has bought nothing is none any more.
async fn end(tx: &mut Tx, session: &SessionSecret) -> ApiResult<()> {
    let guest = guest_of_session(tx, session).await?;
    end_session(tx, session).await?;
    let Some(guest_id) = guest else { return Ok(()) };
    match confirm_guest(tx, guest_id).await {
        Ok(()) => Ok(tx.announce(&GuestLoggedOut { guest_id }).await?),
        Err(GuestIsGone::Gone) => Ok(()),
        Err(GuestIsGone::Db(error)) => Err(error.into()),
    }
}

async fn register(
    State(credentials): State<Credentials>,
    Uses((sessions, sender)): Uses<(Sessions, EmailTokenSender)>,
    ClientAddress(client): ClientAddress,
    ClientLanguage(language): ClientLanguage,
    browser: Browser,
    Body(request): Body<RegistrationRequest>,
) -> ApiResult<WithCookies<Created<Data<AccountResource>>>> {
    let registering = Box::pin(async {
        let password_hash = credentials.passwords.hash_for(client, request.password).await?;
        let email = request.email.to_lowercase();
        let new = NewCustomer { email, name: request.name, password_hash: Some(password_hash), verified: false };
        let written = sessions.db.write(async |tx| -> Result<CustomerRecord, CreateCustomerError> {
            let customer = insert_customer(tx, new).await?;
            let verify = EmailTokenPurpose::VerifyEmail;
            sender.send_email_token(tx, verify, customer.user_id, &customer.email, language).await?;
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
    let customer = registered?;
    // Nobody could have changed a password that was chosen just now.
    let (cookies, customer) = begin(&sessions, browser, async |_| Ok(customer)).await?;
    Ok(WithCookies { cookies, answer: Created(Data(customer.into())) })
}

/// Begins to buy as a guest.
async fn begin_as_guest(
    State(credentials): State<Credentials>,
    Uses(sessions): Uses<Sessions>,
    ClientAddress(client): ClientAddress,
    browser: Browser,
    Body(request): Body<GuestRequest>,
) -> ApiResult<WithCookies<Created<Data<AccountResource>>>> {
    count_guest(&credentials.limiter, client, &request.email.to_lowercase()).await?;
    let admit = async |tx: &mut Tx| Ok(insert_guest(tx, &request.email, &request.name).await?);
    let (cookies, guest) = begin(&sessions, browser, admit).await?;
    Ok(WithCookies { cookies, answer: Created(Data(guest.into())) })
}
