//! Whether each mail is documented.

use super::check::Evidence;
use super::report::Report;
use super::rule::Rule;
use super::settings::mentions;
use super::subject::Subject;

/// The README names each mail: operators call the files of their own texts after it.
pub(super) fn look(subject: &Subject, evidence: &Evidence, report: &mut Report) {
    let mails = &subject.description().mails;
    if mails.is_empty() {
        return;
    }
    let Some(readme) = &evidence.readme else {
        let why = "the module's README.md is not at hand: give the folder of its crate with `--sources`";
        report.leave_out(Rule::Mails, why);
        return;
    };
    for mail in mails.iter().filter(|mail| !mentions(readme, mail)) {
        let mend = format!("say in README.md when `{mail}` is sent, and what its texts can name");
        report.breach(Rule::Mails, format!("mail `{mail}`"), "the README does not name it", mend);
    }
}
