//! `stoa staff list`.

use clap::Args;
use serde_json::{Value, json};
use stoa_staff::{StaffMember, list_staff};

use super::Context;
use crate::failure::Failure;
use crate::output::{print_json_list, print_list, shown_time};

/// List the people who work in the console.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa staff list\n  stoa staff list --json")]
pub(super) struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let people = list_staff(&db).await?;
        if self.json {
            return print_json_list(&people.iter().map(described).collect::<Vec<_>>());
        }
        let rows = people.iter().map(|member| {
            let state = if member.disabled_at.is_some() { "disabled" } else { "may log in" };
            vec![
                member.email.clone(),
                member.name.clone(),
                member.role.clone(),
                state.to_owned(),
                if member.has_second_factor { "yes" } else { "no" }.to_owned(),
                member.last_seen_at.map(shown_time).unwrap_or_default(),
            ]
        });
        print_list(
            &["EMAIL", "NAME", "ROLE", "STATE", "SECOND FACTOR", "LAST SEEN"],
            rows,
            "`stoa staff create` lets somebody work in the console",
        )
    }
}

/// Somebody as JSON.
pub(super) fn described(member: &StaffMember) -> Value {
    json!({
        "id": member.id,
        "email": member.email,
        "name": member.name,
        "role": member.role,
        "disabled": member.disabled_at.is_some(),
        "disabled_at": member.disabled_at,
        "has_password": member.has_password,
        "second_factor": member.has_second_factor,
        "last_seen_at": member.last_seen_at,
        "created_at": member.created_at,
    })
}
