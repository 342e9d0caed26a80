//! The shop's language, and its name.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_core::testing::smtp_fake::{Received, SmtpFake};

use crate::registration::register;
use crate::reset::forgotten;

/// What a shop with this name and locale sends to somebody who registers, and forgets the password.
async fn letters(backend: Backend, name: &str, locale: &str) -> [Received; 2] {
    let smtp = SmtpFake::open().await;
    let config = format!("[shop]\nname = '{name}'\nlocale = '{locale}'\n");
    let shop = smtp.shop(backend).config(&config).open().await;
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    [smtp.only(), forgotten(&shop, &smtp, "ada@example.com").await]
}

both_databases!(mail_is_in_the_language_of_the_shop);
async fn mail_is_in_the_language_of_the_shop(backend: Backend) {
    for (locale, tag, verify, reset) in [
        ("en-GB", "en", "Please confirm that it is yours", "You can choose it here"),
        ("de-AT", "de", "Bitte bestätigen Sie, dass es Ihre ist", "Hier können Sie es wählen"),
        ("nl", "nl", "Bevestig alstublieft dat het van u is", "Hier kunt u het kiezen"),
        ("fr", "en", "Please confirm that it is yours", "You can choose it here"),
    ] {
        let letters = letters(backend, "Lamps", locale).await;
        for (letter, words) in letters.iter().zip([verify, reset]) {
            assert!(letter.text().contains(words) && letter.text().contains("Lamps"), "{}", letter.text());
            assert_eq!(letter.header("Content-Language").as_deref(), Some(tag));
            assert!(letter.html().contains(&format!("<html lang=\"{tag}\">")), "{}", letter.html());
        }
    }
}

both_databases!(the_name_of_the_shop_can_be_anything);
async fn the_name_of_the_shop_can_be_anything(backend: Backend) {
    let name = "Müller & \"Söhne\" <other@example.com>, Bcc: x@example.com";
    for letter in letters(backend, name, "en").await {
        assert_eq!(letter.to, ["ada@example.com"]);
        assert!(letter.text().contains(name), "{}", letter.text());
        assert_eq!(letter.header("Bcc"), None);
        assert_eq!(letter.raw.matches("\r\nSubject: ").count(), 1);
    }
}

both_databases!(a_mail_is_in_a_language_that_the_operator_has_added);
async fn a_mail_is_in_a_language_that_the_operator_has_added(backend: Backend) {
    let folder = tempfile::tempdir().expect("a folder");
    let texts = "links-verify-email-subject = { $shop }\nlinks-verify-email-body =\n    Bonjour,\n\n    { $link }\n";
    std::fs::write(folder.path().join("fr.ftl"), texts).expect("it is written");
    let smtp = SmtpFake::open().await;
    let config = format!("[shop]\nlocale = 'fr'\ntexts = '{}'\n", folder.path().display());
    let shop = smtp.shop(backend).config(&config).open().await;
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    let letter = smtp.only();
    assert!(letter.text().starts_with("Bonjour,"), "{}", letter.text());
    assert_eq!(letter.header("Content-Language").as_deref(), Some("fr"));
}
