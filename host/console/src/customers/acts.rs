//! What can be done about a customer, each by the function that the command line calls.

use axum::extract::FromRequestParts;
use http::StatusCode;
use http::request::Parts;
use stoa_core::addresses::{SetPropertiesError, set_properties};
use stoa_core::customers::{
    ChangeCustomerError, CustomerAccount, CustomerChanges, EndedAccess, PASSWORD_LENGTH, Verification, change_customer,
    log_out_customer, set_password, set_verification,
};
use stoa_core::notes::{NoteError, note_on_customer};
use stoa_core::tokens::{list_tokens_of, revoke_all_tokens, revoke_tokens};
use stoa_kernel::auth::check_password;
use stoa_kernel::console::{StaffForm, sentence};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Id, Uses};
use stoa_kernel::http::shape::Takes;
use stoa_kernel::http::table::Operation;
use stoa_pages::answer::PageResponse;

use super::one::{Desk, NOT_TAKEN, Told, begin, found, known, shown};
use crate::filled::Filled;
use crate::form::changed_meanwhile;
use crate::page::{ConsoleState, Frame};

/// An act on a customer: who does it, to whom.
pub(super) struct Act {
    pub(super) state: ConsoleState,
    pub(super) frame: Frame,
    pub(super) desk: Desk,
    pub(super) id: i64,
}

impl FromRequestParts<ConsoleState> for Act {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ConsoleState) -> Result<Self, ApiError> {
        let frame = Frame::from_request_parts(parts, state).await?;
        let Uses(desk) = Uses::from_request_parts(parts, state).await?;
        let Id(id) = Id::from_request_parts(parts, state).await?;
        Ok(Self { state: state.clone(), frame, desk, id })
    }
}

impl Takes for Act {
    fn takes(operation: &mut Operation) {
        Id::takes(operation);
    }
}

impl Act {
    /// Shows the customer again with why nothing was done, and with what was typed.
    pub(super) async fn refuse(&self, status: StatusCode, text: impl Into<String>) -> ApiResult<PageResponse> {
        self.tell(Told { problem: Some((status, text.into())), ..Told::default() }).await
    }

    pub(super) async fn tell(&self, told: Told) -> ApiResult<PageResponse> {
        shown(&self.state, &self.frame, &self.desk, self.id, told).await
    }

    #[expect(clippy::unnecessary_wraps, reason = "it is the last word of acts, which may fail before")]
    pub(super) fn done(&self, text: &str) -> ApiResult<PageResponse> {
        Ok(self.frame.done(&format!("/customers/{}", self.id), text))
    }

    /// Shows the form again, with what is wrong with a field.
    async fn refuse_field(&self, mut form: Filled, field: &'static str, text: String) -> ApiResult<PageResponse> {
        form.refuse(field, text);
        self.tell(Told { form: Some(form), ..Told::default() }).await
    }

    /// Shows what somebody else has made of the customer meanwhile. What was typed anew stays; all else is as it is now.
    async fn tell_meanwhile(&self, account: &CustomerAccount, form: &StaffForm) -> ApiResult<PageResponse> {
        let mut merged = begin(account);
        let mut lines = Vec::new();
        for (name, was, label) in [("name", "was_name", "the name"), ("email", "was_email", "the e-mail address")] {
            let (typed, was) = (form.get(name).unwrap_or_default(), form.get(was).unwrap_or_default());
            let now = merged.value(name).to_owned();
            let is_mine = typed != was && typed != now;
            if now != was {
                lines.push(if is_mine {
                    changed_meanwhile(label, &now, typed)
                } else {
                    format!("{label} is “{now}” now")
                });
            }
            if is_mine {
                merged.set(name, typed);
            }
        }
        let told = format!(
            "Somebody has changed this customer meanwhile. Nothing was saved: {}. What you did not change yourself stays as it is now.",
            lines.join("; ")
        );
        self.tell(Told { problem: Some((StatusCode::CONFLICT, told)), merged: Some(merged), ..Told::default() }).await
    }

    async fn not_changed(&self, form: Filled, error: ChangeCustomerError) -> ApiResult<PageResponse> {
        let told = sentence(&error.to_string());
        match error {
            ChangeCustomerError::Name => self.refuse_field(form, "name", told).await,
            ChangeCustomerError::Email(_) | ChangeCustomerError::Taken(_) => {
                self.refuse_field(form, "email", told).await
            }
            ChangeCustomerError::Guest(_) | ChangeCustomerError::Claim(_) | ChangeCustomerError::Gone(_) => {
                self.refuse(StatusCode::CONFLICT, told).await
            }
            ChangeCustomerError::Db(error) => Err(error.into()),
        }
    }
}

/// `POST /console/customers/{id}`.
pub(super) async fn edit(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    let account = found(&act.desk.0, act.id).await?;
    let is_as_seen = form.get("was_name") == Some(account.name.as_str()) && form.get("was_email") == account.address();
    if !is_as_seen {
        return act.tell_meanwhile(&account, &form).await;
    }
    let text = |name: &str| Some(form.get(name).unwrap_or_default().to_owned());
    let changes = CustomerChanges { name: text("name"), email: text("email") };
    match change_customer(&act.desk.0, act.id, changes).await {
        Ok(changed) if changed.has_new_email => act.done("Saved. The new e-mail address is not verified."),
        Ok(_) => act.done("Saved."),
        Err(error) => act.not_changed(Filled::of(&form), error).await,
    }
}

/// `POST /console/customers/{id}/address`: what is known of the customer's address besides saved ones. What was left as the page had
/// it stays as it is now.
pub(super) async fn set_address(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    let account = found(&act.desk.0, act.id).await?;
    if account.anonymized_at.is_some() {
        return act.refuse(StatusCode::CONFLICT, "The customer is anonymized.").await;
    }
    let (mut given, mut lines, mut clashes) = (Vec::new(), Vec::new(), false);
    for (name, label, now) in known(&account) {
        let typed = form.get(name);
        let was = form.raw(&format!("was-{name}")).map(str::trim);
        let text = typed.unwrap_or_default();
        let is_mine = was != Some(text);
        if is_mine {
            given.push((name.to_owned(), typed.map(str::to_owned)));
        }
        if was.is_some_and(|was| was != now) && text != now {
            clashes |= is_mine;
            let label = label.split(',').next().unwrap_or(label);
            lines.push(changed_meanwhile(label, &now, text));
        }
    }
    if clashes {
        let told = format!("Somebody has changed this customer meanwhile. Nothing was saved: {}.", lines.join("; "));
        return act.refuse(StatusCode::CONFLICT, told).await;
    }
    if given.is_empty() {
        return act.done("Nothing was different.");
    }
    match set_properties(&act.desk.0, &act.state.config, act.id, &given.into_iter().collect()).await {
        Ok(_) => act.done("Saved."),
        Err(SetPropertiesError::NoCustomer) => Err(ApiError::not_found()),
        Err(SetPropertiesError::Db(error)) => Err(error.into()),
        Err(error) => act.refuse(NOT_TAKEN, error.to_string()).await,
    }
}

/// `POST /console/customers/{id}/verify`.
pub(super) async fn verify(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    let account = found(&act.desk.0, act.id).await?;
    let (verification, told) = match form.get("unverify") {
        Some(_) => (Verification::Unverified, "The e-mail address counts as not verified."),
        None => (Verification::Verified, "The e-mail address counts as verified."),
    };
    match set_verification(&act.desk.0, act.id, verification).await {
        Ok(_) => act.done(told),
        Err(error) => act.not_changed(begin(&account), error).await,
    }
}

/// `POST /console/customers/{id}/password`.
pub(super) async fn set_new_password(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    let account = found(&act.desk.0, act.id).await?;
    let password = form.raw("password").unwrap_or_default();
    if let Some(wrong) = wrong_password(password, &account.email, &act.state) {
        return act.refuse_field(begin(&account), "password", wrong).await;
    }
    let hash = act.state.credentials.passwords.hash(password.to_owned()).await?;
    let set = act
        .desk
        .0
        .write(async |tx| -> Result<EndedAccess, ChangeCustomerError> { set_password(tx, act.id, &hash).await });
    match set.await {
        Ok(EndedAccess { sessions, tokens }) => {
            act.done(&format!("The password is set. Sessions ended: {sessions}, access tokens revoked: {tokens}."))
        }
        Err(error) => act.not_changed(begin(&account), error).await,
    }
}

/// What is wrong with a password.
pub(super) fn wrong_password(password: &str, email: &str, state: &ConsoleState) -> Option<String> {
    let checked = check_password(password, &PASSWORD_LENGTH, email, &state.config.shop.name);
    checked.err().map(|weak| sentence(&weak.to_string()))
}

/// `POST /console/customers/{id}/log-out`.
pub(super) async fn log_out(act: Act) -> ApiResult<PageResponse> {
    let account = found(&act.desk.0, act.id).await?;
    let ended = log_out_customer(&act.desk.0, &account).await?;
    act.done(&format!("Sessions ended: {ended}."))
}

/// `POST /console/customers/{id}/note`.
pub(super) async fn note(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    let account = found(&act.desk.0, act.id).await?;
    match note_on_customer(&act.desk.0, act.id, form.get("note").unwrap_or_default()).await {
        Ok(()) => act.done("The note is kept."),
        Err(error @ NoteError::Note) => act.refuse_field(begin(&account), "note", sentence(&error.to_string())).await,
        Err(error @ NoteError::Gone(_)) => act.refuse(StatusCode::CONFLICT, sentence(&error.to_string())).await,
        Err(NoteError::Db(error)) => Err(error.into()),
    }
}

/// `POST /console/customers/{id}/revoke`: one token, or all of them.
pub(super) async fn revoke(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    let db = &act.desk.0;
    found(db, act.id).await?;
    let token = form.get("token").unwrap_or_default();
    if token == "all" {
        let revoked = revoke_all_tokens(db, act.id).await?;
        return act.done(&format!("Tokens revoked: {}.", revoked.len()));
    }
    let mut meant = list_tokens_of(db, act.id).await?;
    meant.retain(|known| known.id.to_string() == token);
    revoke_tokens(db, &meant).await?;
    match meant.first() {
        Some(revoked) => act.done(&format!("The token {} is revoked.", revoked.name)),
        None => Err(ApiError::not_found()),
    }
}
