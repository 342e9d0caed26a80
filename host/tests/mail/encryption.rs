//! Mail servers that want TLS and a password: whom the shop believes, and what it says to whom.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use stoa_core::db::{Backend, Sql};
use stoa_core::sql;
use stoa_core::testing::smtp_fake::{Protection, SmtpFake};
use stoa_core::testing::{TestShop, both_databases};
use stoa_fakes::Authority;

use crate::registration::register;

const ERROR: Sql = sql!("SELECT last_error FROM tasks WHERE lane = 'mail'");

/// The certificate is for a name, and the server is here.
const NAME: &str = "localhost";

async fn shop(backend: Backend, smtp: &SmtpFake, encryption: &str, authority: &Authority) -> TestShop {
    let config = format!(
        "[mail]\nfrom = 'Lamps <shop@lamps.example>'\n[mail.smtp]\nhost = '{NAME}'\nport = {}\n\
         encryption = '{encryption}'\nextra_ca_file = '{}'\nusername = 'lamps'\npassword = 'hunter2'\n",
        smtp.port(),
        authority.file().display(),
    );
    TestShop::builder(backend).config(&config).open().await
}

async fn last_error(shop: &TestShop) -> String {
    let error = shop.parts.db.read(ERROR).scalar::<Option<String>>().await;
    error.expect("there is a message").unwrap_or_default()
}

/// A protection with a certificate for this name, by this authority.
fn protections(authority: &Authority, name: &str) -> [(&'static str, Protection); 2] {
    let acceptor = || authority.acceptor(name, |_| {});
    [("starttls", Protection::StartTls(acceptor())), ("tls", Protection::Tls(acceptor()))]
}

both_databases!(mail_goes_through_tls_with_the_password_after_it);
async fn mail_goes_through_tls_with_the_password_after_it(backend: Backend) {
    let authority = Authority::new();
    for (encryption, protection) in protections(&authority, NAME) {
        let smtp = SmtpFake::protected(protection).await;
        let shop = shop(backend, &smtp, encryption, &authority).await;
        register(&shop, "ada@example.com").await;
        shop.run_jobs().await;
        assert_eq!(smtp.only().to, ["ada@example.com"], "{encryption}");
        let login = format!("AUTH PLAIN {}", BASE64_STANDARD.encode("\0lamps\0hunter2"));
        assert_eq!(smtp.logins(), [login], "{encryption}");
    }
}

both_databases!(a_server_that_is_not_believed_gets_neither_mail_nor_password);
async fn a_server_that_is_not_believed_gets_neither_mail_nor_password(backend: Backend) {
    let (authority, foreign) = (Authority::new(), Authority::new());
    let unbelievable = protections(&foreign, NAME).into_iter().chain(protections(&authority, "other.example"));
    for (encryption, protection) in unbelievable {
        let smtp = SmtpFake::protected(protection).await;
        let shop = shop(backend, &smtp, encryption, &authority).await;
        register(&shop, "ada@example.com").await;
        shop.run_jobs().await;
        assert_eq!((smtp.collect().len(), smtp.logins().len()), (0, 0), "{encryption}");
        let error = last_error(&shop).await;
        assert!(error.contains("certificate") && !error.contains("hunter2"), "{encryption}: {error}");
    }
}

both_databases!(a_server_that_offers_no_tls_gets_nothing_in_the_clear);
async fn a_server_that_offers_no_tls_gets_nothing_in_the_clear(backend: Backend) {
    let authority = Authority::new();
    for encryption in ["starttls", "tls"] {
        let smtp = SmtpFake::protected(Protection::None).await;
        let shop = shop(backend, &smtp, encryption, &authority).await;
        register(&shop, "ada@example.com").await;
        shop.run_jobs().await;
        assert_eq!((smtp.collect().len(), smtp.logins().len()), (0, 0), "{encryption}");
        let error = last_error(&shop).await;
        assert_ne!(error, "", "{encryption}");
        assert_eq!(error.contains("`mail.smtp.encryption = \"none\"`"), encryption == "starttls", "{error}");
    }
}
