//! People: added, changed, disabled and reset, each with its row in the audit log.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::console::ConsoleAbilities;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::http::rules::is_email;
use stoa_kernel::suggestion::no_such;

use super::passkeys::forget_passkeys;
use super::queries;
use super::sessions::end_sessions_of;

/// The role that may do everything. Somebody always has it.
const OWNER: &str = "owner";

/// Longest name and address, in characters.
const MAX_LENGTH: usize = 255;

/// Somebody to be added.
#[derive(Debug, Clone)]
pub struct NewStaff {
    /// The e-mail address; stored in lower case.
    pub email: String,
    /// The name.
    pub name: String,
    /// The role.
    pub role: String,
    /// The PHC string of the password; none for who is to choose one, having come by a login link.
    pub password_hash: Option<String>,
}

/// Somebody who works in the console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct StaffMember {
    /// The id.
    pub id: i64,
    /// The e-mail address, in lower case.
    pub email: String,
    /// The name.
    pub name: String,
    /// The role.
    pub role: String,
    /// Since when they cannot log in any more; none of who can.
    pub disabled_at: Option<DateTime<Utc>>,
    /// Whether they have chosen a password.
    pub has_password: bool,
    /// Whether they have set up a second factor: an app, or a passkey.
    pub has_second_factor: bool,
    /// The last request of a session that is not over, to within a minute.
    pub last_seen_at: Option<DateTime<Utc>>,
    /// Whether they have ever logged in.
    pub has_logged_in: bool,
    /// When they were added.
    pub created_at: DateTime<Utc>,
}

/// Why somebody was not added or changed.
#[derive(Debug, thiserror::Error)]
pub enum StaffError {
    /// The address is no e-mail address.
    #[error("`{0}` is not an e-mail address")]
    Email(String),
    /// The name is empty, too long, or holds control characters.
    #[error("the name must have 1 to {MAX_LENGTH} characters, without control characters")]
    Name,
    /// There is no such role.
    #[error("{0}")]
    Role(String),
    /// The address is taken.
    #[error("there is somebody with the e-mail address {0} already")]
    Taken(String),
    /// There is nobody with this address.
    #[error("nobody of the staff has the e-mail address {0}")]
    NotFound(String),
    /// They may not log in.
    #[error("{0} may not log in: enable the person first")]
    Disabled(String),
    /// Without this one, nobody could manage the staff any more.
    #[error("{0} is the last owner: make somebody else an owner first")]
    LastOwner(String),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// An address as it is stored.
pub(crate) fn stored(email: &str) -> String {
    email.trim().to_lowercase()
}

fn check_role(abilities: &ConsoleAbilities, role: &str) -> Result<(), StaffError> {
    if abilities.has_role(role) {
        return Ok(());
    }
    Err(StaffError::Role(no_such("role", role, abilities.roles())))
}

/// Adds somebody.
pub async fn create_staff(db: &Db, abilities: &ConsoleAbilities, new: NewStaff) -> Result<StaffMember, StaffError> {
    let email = stored(&new.email);
    if !is_email(&email) || email.chars().count() > MAX_LENGTH {
        return Err(StaffError::Email(new.email));
    }
    let name = new.name.trim().to_owned();
    if !(1..=MAX_LENGTH).contains(&name.chars().count()) || name.contains(char::is_control) {
        return Err(StaffError::Name);
    }
    check_role(abilities, &new.role)?;
    db.write(async |tx| -> Result<StaffMember, StaffError> {
        let now = tx.now();
        let insert = tx.run(queries::INSERT).bind(email.as_str()).bind(name.as_str()).bind(new.role.as_str());
        let inserted = insert.bind(new.password_hash.as_deref()).bind(now).optional_scalar::<i64>().await?;
        let id = inserted.ok_or_else(|| StaffError::Taken(email.clone()))?;
        let after = json!({"name": name, "role": new.role});
        tx.audit("staff.create", Subject::staff(&email), Value::Null, after).await?;
        Ok(StaffMember {
            id,
            email: email.clone(),
            name: name.clone(),
            role: new.role.clone(),
            disabled_at: None,
            has_password: new.password_hash.is_some(),
            has_second_factor: false,
            last_seen_at: None,
            has_logged_in: false,
            created_at: now,
        })
    })
    .await
}

/// All people, sorted by address.
pub async fn list_staff(db: &Db) -> Result<Vec<StaffMember>, DbError> {
    db.read(queries::LIST).all().await
}

/// Somebody, by e-mail address in any case.
pub async fn find_staff(db: &Db, email: &str) -> Result<Option<StaffMember>, DbError> {
    db.read(queries::FIND).bind(stored(email)).optional().await
}

/// Somebody whose row this transaction holds.
#[derive(sqlx::FromRow)]
pub(crate) struct Locked {
    pub(crate) id: i64,
    role: String,
    pub(crate) disabled_at: Option<DateTime<Utc>>,
}

pub(crate) async fn lock(tx: &mut Tx, email: &str) -> Result<Locked, StaffError> {
    let now = tx.now();
    let locked = tx.run(queries::LOCK).bind(email).bind(now).optional().await?;
    locked.ok_or_else(|| StaffError::NotFound(email.to_owned()))
}

/// Refuses to take the role of owner, or the access, from the last one who has both.
async fn keep_an_owner(tx: &mut Tx, id: i64, email: &str) -> Result<(), StaffError> {
    let now = tx.now();
    let owners = tx.run(queries::LOCK_OWNERS).bind(now).scalars::<i64>().await?;
    if owners == [id] { Err(StaffError::LastOwner(email.to_owned())) } else { Ok(()) }
}

/// Gives somebody another role, which counts from their next request on.
pub async fn set_staff_role(db: &Db, abilities: &ConsoleAbilities, email: &str, role: &str) -> Result<(), StaffError> {
    check_role(abilities, role)?;
    let email = stored(email);
    db.write(async |tx| -> Result<(), StaffError> {
        let found = lock(tx, &email).await?;
        if found.role == role {
            return Ok(());
        }
        if found.role == OWNER {
            keep_an_owner(tx, found.id, &email).await?;
        }
        let now = tx.now();
        tx.run(queries::SET_ROLE).bind(found.id).bind(role).bind(now).execute().await?;
        let (before, after) = (json!({"role": found.role}), json!({"role": role}));
        Ok(tx.audit("staff.set-role", Subject::staff(&email), before, after).await?)
    })
    .await
}

/// Takes somebody's access away: nothing of theirs opens anything any more.
pub async fn disable_staff(db: &Db, email: &str) -> Result<(), StaffError> {
    let email = stored(email);
    db.write(async |tx| -> Result<(), StaffError> {
        let found = lock(tx, &email).await?;
        if found.disabled_at.is_some() {
            return Ok(());
        }
        if found.role == OWNER {
            keep_an_owner(tx, found.id, &email).await?;
        }
        let now = tx.now();
        tx.run(queries::DISABLE).bind(found.id).bind(now).execute().await?;
        end_sessions_of(tx, found.id, None).await?;
        tx.run(queries::DELETE_LINKS).bind(found.id).execute().await?;
        let (before, after) = (json!({"disabled": false}), json!({"disabled": true}));
        Ok(tx.audit("staff.disable", Subject::staff(&email), before, after).await?)
    })
    .await
}

/// Gives somebody back what they could do before.
pub async fn enable_staff(db: &Db, email: &str) -> Result<(), StaffError> {
    let email = stored(email);
    db.write(async |tx| -> Result<(), StaffError> {
        let found = lock(tx, &email).await?;
        if found.disabled_at.is_none() {
            return Ok(());
        }
        let now = tx.now();
        tx.run(queries::ENABLE).bind(found.id).bind(now).execute().await?;
        let (before, after) = (json!({"disabled": true}), json!({"disabled": false}));
        Ok(tx.audit("staff.enable", Subject::staff(&email), before, after).await?)
    })
    .await
}

/// Takes password, second factor, passkeys and sessions from somebody who has lost them, or whose they are not alone any more.
pub async fn reset_staff(db: &Db, email: &str) -> Result<(), StaffError> {
    let email = stored(email);
    db.write(async |tx| -> Result<(), StaffError> {
        let found = lock(tx, &email).await?;
        let now = tx.now();
        tx.run(queries::RESET).bind(found.id).bind(now).execute().await?;
        tx.run(queries::DELETE_RECOVERY_CODES).bind(found.id).execute().await?;
        let passkeys = forget_passkeys(tx, found.id).await?;
        tx.run(queries::DELETE_LINKS).bind(found.id).execute().await?;
        let ended = end_sessions_of(tx, found.id, None).await?;
        let after =
            json!({"password": null, "second_factor": false, "passkeys_removed": passkeys, "sessions_ended": ended});
        Ok(tx.audit("staff.reset", Subject::staff(&email), Value::Null, after).await?)
    })
    .await
}
