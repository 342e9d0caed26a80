//! What delivering mail works with.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::Db;
use stoa_kernel::encryption::Cipher;
use stoa_kernel::from_shop;
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::mail::MailFiles;

from_shop! {
    /// What delivering mail works with.
    pub struct MailDelivery {
        /// Where mails wait.
        pub db: Db,
        /// What opens them.
        pub cipher: Cipher,
        /// What makes the files that go along.
        pub files: MailFiles,
        /// The mail server, and who sends.
        pub config: Arc<Config>,
        /// The name that the mail server is told.
        pub base_url: BaseUrl,
    }
}
