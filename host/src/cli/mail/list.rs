//! `stoa mail list` and `stoa mail show`.

use clap::Args;
use stoa_core::mail::{Mail, MailState, files_of_mail, find_mail, list_mails};

use super::{Context, describe, unknown};
use crate::cli::list_options::ListOptions;
use crate::cli::one_of::one_of;
use crate::cli::order::open;
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_members, shown_time};

/// List mails, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "What was sent is listed for `mail.retention_days`, what has failed for 30 days.

Examples:
  stoa mail list
  stoa mail list --state failed --json
  stoa mail list --state sent --limit 20")]
pub(super) struct List {
    /// Only those in this state.
    #[arg(long, value_parser = one_of(&MailState::ALL, MailState::as_str))]
    state: Option<MailState>,
    #[command(flatten)]
    options: ListOptions,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let mails = list_mails(&db, self.state, self.options.limit).await?;
        let head = ["ID", "STATE", "KIND", "TO", "SUBJECT", "WRITTEN", "SENT", "ATTEMPTS", "LAST ERROR"];
        self.options.print(
            &mails,
            |mail| Ok(describe(mail)),
            &head,
            row,
            "mails appear here once the shop has something to tell",
        )
    }
}

fn row(mail: &Mail) -> Vec<String> {
    vec![
        mail.id.to_string(),
        mail.state.as_str().to_owned(),
        mail.kind.clone().unwrap_or_default(),
        mail.recipient.clone(),
        mail.subject.clone(),
        shown_time(mail.created_at),
        mail.sent_at.map(shown_time).unwrap_or_default(),
        mail.attempts.to_string(),
        mail.last_error.clone().unwrap_or_default(),
    ]
}

/// Show a mail with its text.
#[derive(Debug, Args)]
#[command(after_help = "The text of a mail with a link that opens an account is not shown.

Examples:
  stoa mail show 42
  stoa mail show 42 --json")]
pub(super) struct Show {
    /// The mail's id.
    #[arg(value_parser = clap::value_parser!(i64).range(1..))]
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let (mail, text) = find_mail(&parts.db, &parts.cipher, self.id).await?.ok_or_else(|| unknown(self.id))?;
        let files = files_of_mail(&parts.db, self.id).await?;
        if self.json {
            let mut described = describe(&mail);
            described["text"] = text.into();
            described["files"] = files.into();
            return print_json(&described);
        }
        let time = |time: Option<_>| time.map(shown_time);
        let members = [
            ("state", Some(mail.state.as_str().to_owned())),
            ("kind", mail.kind),
            ("to", Some(mail.recipient)),
            ("subject", Some(mail.subject)),
            ("language", Some(mail.language)),
            ("message id", Some(mail.message_id)),
            ("written", time(Some(mail.created_at))),
            ("sent", time(mail.sent_at)),
            ("answer", mail.answer),
            ("attempts", Some(mail.attempts.to_string())),
            ("next attempt", time(mail.next_attempt_at)),
            ("last error", mail.last_error),
            ("files", Some(files.join(", ")).filter(|files| !files.is_empty())),
        ];
        print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))?;
        match text {
            Some(text) => print_line(&format!("\n{}", text.trim_end())),
            None => print_line("\nIts text is not shown."),
        }
    }
}
