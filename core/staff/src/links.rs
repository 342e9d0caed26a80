//! Links that log somebody in once, for who has no password yet or has lost it.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::auth::RandomSecret;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::random::Random;

use super::members::{StaffError, lock, stored};
use super::queries;

/// How long a link works, in minutes.
pub const LINK_MINUTES: i64 = 15;

/// A link, known only when it is made.
#[derive(Debug, Clone)]
pub struct LoginLink {
    /// What the link ends with.
    pub secret: RandomSecret,
    /// When it works no longer.
    pub expires_at: DateTime<Utc>,
}

impl LoginLink {
    /// The address to open.
    pub fn url(&self, base_url: &str, console: &str) -> String {
        format!("{base_url}{console}/login/link?token={}", self.secret.expose())
    }
}

/// Makes a link for somebody; older ones stay as long as they would.
pub async fn make_login_link(db: &Db, random: &Random, email: &str) -> Result<LoginLink, StaffError> {
    let (email, secret) = (stored(email), RandomSecret::new(random));
    let expires_at = db
        .write(async |tx| -> Result<DateTime<Utc>, StaffError> {
            let found = lock(tx, &email).await?;
            if found.disabled_at.is_some() {
                return Err(StaffError::Disabled(email.clone()));
            }
            let now = tx.now();
            let expires_at = now + TimeDelta::minutes(LINK_MINUTES);
            let insert = tx.run(queries::INSERT_LINK).bind(secret.hash().to_vec()).bind(found.id).bind(now);
            insert.bind(expires_at).execute().await?;
            tx.audit("staff.login-link", Subject::staff(&email), Value::Null, json!({"expires_at": expires_at}))
                .await?;
            Ok(expires_at)
        })
        .await?;
    Ok(LoginLink { secret, expires_at })
}

/// Whom a link that would work now is for, without using it.
pub(crate) async fn find_link(db: &Db, secret: &RandomSecret) -> Result<Option<String>, DbError> {
    db.read(queries::FIND_LINK).bind(secret.hash().to_vec()).bind(db.now()).optional_scalar().await
}
