//! Looking for what breaks an invariant.

use std::fmt;

use serde::Serialize;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::invariant::OwnedInvariant;
use stoa_selling::invoices::verify_documents;

/// Something that breaks an invariant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Breach {
    /// The invariant's name.
    pub invariant: &'static str,
    /// What it is about: an order, a payment, a document.
    pub about: String,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.invariant, self.about, self.problem)
    }
}

/// Looks for everything that breaks one of these invariants, at most a hundred breaches of each, then through documents
/// and the database itself.
pub async fn verify(db: &Db, invariants: &[OwnedInvariant]) -> Result<Vec<Breach>, DbError> {
    let mut breaches = Vec::new();
    for OwnedInvariant { invariant, .. } in invariants {
        let found = db.read(invariant.finds).all::<(String, String)>().await?;
        let found = found.into_iter().map(|(about, problem)| Breach { invariant: invariant.name, about, problem });
        breaches.extend(found);
    }
    let documents = verify_documents(db).await?.into_iter();
    breaches.extend(documents.map(|found| Breach {
        invariant: "documents",
        about: found.about,
        problem: found.problem,
    }));
    let damage = db.damage().await?.into_iter();
    breaches.extend(damage.map(|problem| Breach {
        invariant: "database",
        about: String::from("the database"),
        problem,
    }));
    Ok(breaches)
}
