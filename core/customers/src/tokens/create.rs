//! Making a token for a customer, as operators do.

use serde_json::{Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::auth::{AbilityCatalog, FULL_ACCESS, NewToken, issue_token};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::random::Random;
use stoa_kernel::secret::Secret;
use stoa_kernel::suggestion::did_you_mean;

/// Longest name of a token, in characters; the same as through the API.
pub const MAX_TOKEN_NAME: usize = 80;

/// Longest life of a token that has an end, in days.
pub const MAX_TOKEN_DAYS: i64 = 3650;

/// Makes a token for a customer, and gives its plain text, which is nowhere else.
pub async fn create_token(db: &Db, random: &Random, new: NewToken<'_>) -> Result<Secret, DbError> {
    let after = json!({"name": new.name, "abilities": new.abilities, "expires_at": new.expires_at});
    let subject = Subject::customer(new.customer_id);
    db.write(async |tx| -> Result<Secret, DbError> {
        let token = issue_token(tx, random, new).await?;
        tx.audit_operator("tokens.create", subject, Value::Null, after).await?;
        Ok(Secret::new(token))
    })
    .await
}

/// What the token shall hold: everything when nothing was said, each name once, `*` alone when it
/// is among them (S5.2 rules 1 to 3).
pub fn granted(asked: &[String], catalog: &AbilityCatalog) -> Result<Vec<String>, String> {
    let unknown = asked
        .iter()
        .filter(|name| !catalog.contains(name))
        .map(|name| format!("there is no ability `{name}`{}", did_you_mean(catalog.nearest(name))));
    let mut mistakes = unknown.collect::<Vec<_>>();
    if !mistakes.is_empty() {
        let known = catalog.names().collect::<Vec<_>>().join(", ");
        mistakes.push(format!("abilities are: {FULL_ACCESS}, {known}"));
        return Err(mistakes.join("\n"));
    }
    if asked.is_empty() || asked.iter().any(|name| name == FULL_ACCESS) {
        return Ok(vec![FULL_ACCESS.to_owned()]);
    }
    let mut names = asked.to_vec();
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abilities_are_named_once_and_everything_stands_alone() {
        let catalog = AbilityCatalog::default();
        let granted = |asked: &[&str]| {
            let asked = asked.iter().map(ToString::to_string).collect::<Vec<_>>();
            granted(&asked, &catalog)
        };
        assert_eq!(granted(&[]), Ok(vec!["*".to_owned()]));
        assert_eq!(granted(&["orders.read", "*"]), Ok(vec!["*".to_owned()]));
        let twice = granted(&["orders.read", "account.read", "orders.read"]);
        assert_eq!(twice, Ok(vec!["account.read".to_owned(), "orders.read".to_owned()]));
        let refusal = granted(&["orders.raed", "zebra"]).expect_err("unknown names");
        assert!(refusal.contains("`orders.raed`; did you mean `orders.read`?"), "{refusal}");
        assert!(refusal.contains("no ability `zebra`\n"), "{refusal}");
    }
}
