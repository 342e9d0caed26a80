//! The second factor: one-time codes of an app (RFC 6238), and codes for when it is lost. Passkeys are one as well: `passkeys`.

use std::net::IpAddr;

use serde_json::{Value, json};
use totp_rs::{Builder, Totp};

use stoa_kernel::audit::Subject;
use stoa_kernel::auth::{LimitClass, RandomSecret};
use stoa_kernel::config::ConsoleConfig;
use stoa_kernel::console::{StaffSession, end_staff_session, start_staff_session};
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::encryption::{Cipher, SealContext};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::random::Random;

use super::credentials::{Arriving, StaffCredentials};
use super::members::{StaffError, lock};
use super::queries;

/// Bytes of a key, as RFC 4226 advises.
const KEY: usize = 20;

/// Recovery codes that somebody gets.
const RECOVERY_CODES: usize = 10;

/// Groups of four characters in a recovery code: some 80 bits, which nobody finds who has its hash.
const RECOVERY_GROUPS: usize = 4;

fn place(staff_id: i64) -> SealContext {
    SealContext { table: "staff_members", column: "totp_secret", row: staff_id }
}

fn totp(key: &[u8], email: &str, shop: &str) -> Totp {
    // A colon would end the name too early.
    let plain = |text: &str| text.replace(':', " ");
    let builder = Builder::new().with_secret(key.to_vec()).with_account_name(plain(email));
    builder.with_issuer(Some(plain(shop))).build_noncompliant()
}

/// What somebody adds to an app.
#[derive(Debug, Clone)]
pub struct NewFactor {
    /// To be typed, in base 32.
    pub key: String,
    /// To be scanned.
    pub url: String,
}

#[derive(sqlx::FromRow)]
struct Kept {
    id: i64,
    totp_secret: Option<Vec<u8>>,
    is_confirmed: bool,
}

async fn kept(db: &Db, email: &str) -> Result<Kept, DbError> {
    db.read(queries::FACTOR).bind(email).one().await
}

/// What somebody who has no second factor yet adds to an app: the same until it is confirmed.
pub async fn begin_factor(
    db: &Db,
    cipher: &Cipher,
    random: &Random,
    email: &str,
    shop: &str,
) -> ApiResult<Option<NewFactor>> {
    let found = kept(db, email).await?;
    if found.is_confirmed {
        return Ok(None);
    }
    let key = if let Some(sealed) = found.totp_secret {
        cipher.open(place(found.id), &sealed).map_err(ApiError::internal)?
    } else {
        let key = random.bytes::<KEY>().to_vec();
        let sealed = cipher.seal(place(found.id), &key);
        let keep = async |tx: &mut Tx| tx.run(queries::KEEP_KEY).bind(found.id).bind(sealed).execute().await;
        if db.write(keep).await? == 0 {
            // Another window was faster; its key counts.
            let other = kept(db, email).await?.totp_secret.unwrap_or_default();
            cipher.open(place(found.id), &other).map_err(ApiError::internal)?
        } else {
            key
        }
    };
    let totp = totp(&key, email, shop);
    let url = totp.to_url().map_err(ApiError::internal)?;
    Ok(Some(NewFactor { key: totp.secret().to_base32(), url }))
}

/// Whether a code is right now, and which step it is of.
async fn step_of(db: &Db, cipher: &Cipher, email: &str, code: &str) -> ApiResult<Option<(i64, i64)>> {
    let found = kept(db, email).await?;
    let Some(sealed) = found.totp_secret else { return Ok(None) };
    let key = cipher.open(place(found.id), &sealed).map_err(ApiError::internal)?;
    let digits = code.chars().filter(char::is_ascii_digit).collect::<String>();
    let now = u64::try_from(db.now().timestamp()).unwrap_or_default();
    let step = if digits.len() == 6 { totp(&key, email, "").check(&digits, now) } else { None };
    Ok(step.and_then(|step| i64::try_from(step).ok()).map(|step| (found.id, step)))
}

/// Sets up the second factor of somebody whose app has shown this code. Gives the recovery codes, which are nowhere else; none
/// for a wrong code.
pub async fn confirm_factor(
    db: &Db,
    cipher: &Cipher,
    random: &Random,
    email: &str,
    code: &str,
) -> ApiResult<Option<Vec<String>>> {
    let Some((id, step)) = step_of(db, cipher, email, code).await? else { return Ok(None) };
    let confirmed = db.write(async |tx| -> Result<Option<Vec<String>>, DbError> {
        let now = tx.now();
        if tx.run(queries::CONFIRM_FACTOR).bind(id).bind(now).bind(step).execute().await? == 0 {
            return Ok(None);
        }
        let codes = new_recovery_codes(tx, random, id).await?;
        let (before, after) = (json!({"app": false}), json!({"app": true}));
        tx.audit("staff.set-up-factor", Subject::staff(email), before, after).await?;
        Ok(Some(codes))
    });
    Ok(confirmed.await?)
}

/// Gives somebody recovery codes, in place of those that there were.
pub(crate) async fn new_recovery_codes(tx: &mut Tx, random: &Random, staff_id: i64) -> Result<Vec<String>, DbError> {
    let codes = (0..RECOVERY_CODES).map(|_| recovery_code(random)).collect::<Vec<_>>();
    tx.run(queries::DELETE_RECOVERY_CODES).bind(staff_id).execute().await?;
    for code in &codes {
        tx.run(queries::INSERT_RECOVERY_CODE).bind(hash(code)).bind(staff_id).execute().await?;
    }
    Ok(codes)
}

/// Takes the recovery codes of somebody away who has no second factor any more.
pub(crate) async fn drop_recovery_codes(tx: &mut Tx, staff_id: i64) -> Result<(), DbError> {
    tx.run(queries::DROP_RECOVERY_CODES).bind(staff_id).execute().await.map(drop)
}

/// Takes the app of somebody away. Passkeys stay.
pub async fn remove_factor(db: &Db, email: &str) -> Result<(), StaffError> {
    db.write(async |tx| -> Result<(), StaffError> {
        let found = lock(tx, email).await?;
        tx.run(queries::REMOVE_FACTOR).bind(found.id).execute().await?;
        drop_recovery_codes(tx, found.id).await?;
        let (before, after) = (json!({"app": true}), json!({"app": false}));
        Ok(tx.audit("staff.remove-factor", Subject::staff(email), before, after).await?)
    })
    .await
}

/// A recovery code as it is written down: `k3f9-x0zq-7wma-2hdt`.
fn recovery_code(random: &Random) -> String {
    let groups = (0..RECOVERY_GROUPS).map(|_| random.alphanumeric(4).to_lowercase());
    groups.collect::<Vec<_>>().join("-")
}

/// A recovery code as it is stored. It is as random as it is long, so that a hash without salt gives nothing away.
fn hash(code: &str) -> Vec<u8> {
    let plain = code.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    stoa_kernel::auth::sha256(plain.as_bytes()).to_vec()
}

impl StaffCredentials {
    /// Shows the second factor: a code of the app, or a recovery code. Gives the secret of a new session; none for a wrong code.
    /// Each code counts once, and after too many failures it is an error.
    pub async fn show_factor(
        &self,
        (db, cipher, random): (&Db, &Cipher, &Random),
        config: &ConsoleConfig,
        session: &StaffSession,
        code: &str,
        browser: Arriving<'_>,
    ) -> ApiResult<Option<RandomSecret>> {
        let db = super::credentials::acting(db, &session.email, browser.client);
        let counted = format!("staff-code:{}", session.email);
        let attempt = Box::pin(async {
            let step = step_of(&db, cipher, &session.email, code).await?;
            Ok(db.write(async |tx| take(tx, random, config, session, (code, step), browser).await).await?)
        });
        self.limiter.attempt(LimitClass::FailedLogins, &counted, attempt).await
    }
}

async fn take(
    tx: &mut Tx,
    random: &Random,
    config: &ConsoleConfig,
    session: &StaffSession,
    (code, step): (&str, Option<(i64, i64)>),
    browser: Arriving<'_>,
) -> Result<Option<RandomSecret>, DbError> {
    let (taken, by) = if let Some((id, step)) = step {
        (tx.run(queries::TAKE_STEP).bind(id).bind(step).execute().await?, "code")
    } else {
        let take = tx.run(queries::TAKE_RECOVERY_CODE).bind(session.staff_id).bind(hash(code));
        (take.execute().await?, "recovery code")
    };
    if taken == 0 {
        return Ok(None);
    }
    pass(tx, random, config, session, browser, by).await.map(Some)
}

/// Lets somebody in who has shown the second factor. Gives the secret of the new session.
pub(crate) async fn pass(
    tx: &mut Tx,
    random: &Random,
    config: &ConsoleConfig,
    session: &StaffSession,
    browser: Arriving<'_>,
    by: &str,
) -> Result<RandomSecret, DbError> {
    if let Some(before) = browser.before {
        end_staff_session(tx, before).await?;
    }
    let place: (Option<&str>, IpAddr) = (browser.user_agent, browser.client);
    let secret = start_staff_session(tx, random, config, session.staff_id, false, place).await?;
    tx.audit("staff.show-factor", Subject::staff(&session.email), Value::Null, json!({"by": by})).await?;
    Ok(secret)
}
