//! The customer's own properties, from which an address is rebuilt while none is saved (S2.4 rule 1).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sqlx::types::Json;

use stoa_kernel::audit::Subject;
use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::http::error::ApiError;
use stoa_kernel::i18n::{Language, Texts};

use super::queries;
use super::rules::{aliases, check_country};

/// Why properties were not set.
#[derive(Debug, thiserror::Error)]
pub enum SetPropertiesError {
    /// A key is none of the aliases of S4.4.
    #[error("there is no property `{key}`; there are {known}")]
    Unknown {
        /// The key.
        key: String,
        /// All that there are.
        known: String,
    },
    /// A value breaks the rules of the field it stands for.
    #[error("{0}")]
    Invalid(String),
    /// There is no such customer.
    #[error("there is no such customer")]
    NoCustomer,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Sets some of a customer's properties, whose keys are the aliases of S4.4; those without a value are removed, others
/// stay. Returns all.
pub async fn set_properties(
    db: &Db,
    config: &Config,
    customer_id: i64,
    changes: &BTreeMap<String, Option<String>>,
) -> Result<Map<String, Value>, SetPropertiesError> {
    let changes = checked(config, changes)?;
    db.write(async |tx| -> Result<Map<String, Value>, SetPropertiesError> {
        let locked = tx.run(queries::LOCK_CUSTOMER).bind(customer_id).optional_scalar::<i64>().await?;
        locked.ok_or(SetPropertiesError::NoCustomer)?;
        let stored = tx.run(queries::PROPERTIES).bind(customer_id).scalar::<Json<Map<String, Value>>>().await?;
        let mut properties = stored.0;
        for (key, value) in changes.clone() {
            if value.is_null() {
                properties.remove(&key);
            } else {
                properties.insert(key, value);
            }
        }
        let now = tx.now();
        let set = tx.run(queries::SET_PROPERTIES).bind(customer_id).bind(Json(&properties)).bind(now);
        set.execute().await?;
        let after = json!({"properties": changes.keys().collect::<Vec<_>>()});
        tx.audit_operator("customers.edit", Subject::customer(customer_id), Value::Null, after).await?;
        Ok(properties)
    })
    .await
}

/// The changes as they are stored, or what is wrong with them.
fn checked(
    config: &Config,
    changes: &BTreeMap<String, Option<String>>,
) -> Result<Map<String, Value>, SetPropertiesError> {
    let rules = aliases();
    let known = rules.names().collect::<Vec<_>>();
    if let Some(key) = changes.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(SetPropertiesError::Unknown { key: key.clone(), known: known.join(", ") });
    }
    let given = changes.iter().map(|(key, value)| (key.clone(), value.clone().map_or(Value::Null, Value::String)));
    let checked = rules.validate_with(&Value::Object(given.collect()), |accepted| {
        check_country("country", &accepted["country"], config)
    });
    let Value::Object(mut checked) = checked.map_err(|error| invalid(&error))? else { return Ok(Map::new()) };
    if let Some(Value::String(country)) = checked.get_mut("country") {
        country.make_ascii_uppercase();
    }
    Ok(checked)
}

fn invalid(error: &ApiError) -> SetPropertiesError {
    let problems = error.body(&Texts::built_in(), Language::EN).errors.into_values().flatten().collect::<Vec<_>>();
    SetPropertiesError::Invalid(problems.join(" "))
}
