//! The PostgreSQL server that tests run on, and the databases they get on it.

use std::str::FromStr;
use std::time::Duration;

use chrono::TimeDelta;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use sqlx_postgres::{PgConnectOptions, PgConnection};
use tokio::sync::OnceCell;
use url::Url;

use stoa_kernel::clock::Clock;
use stoa_kernel::config::DatabaseUrl;
use stoa_kernel::db::Backend;
use stoa_kernel::random::Random;

use super::shop::core_migrations;
use super::{database, environment, private_server};

/// Where a server usually is; in containers it lets this user in.
const USUAL: &str = "postgres://postgres@127.0.0.1:5432/postgres";

/// How long a server may take to let us in.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Databases of tests that failed or were killed are removed after this time.
const TEST_KEPT_FOR: TimeDelta = TimeDelta::days(1);

/// Templates are removed after this time, and made again where they are still needed.
const TEMPLATE_KEPT_FOR: TimeDelta = TimeDelta::weeks(1);

/// Held while the template is made, so that processes that start together make one.
const TEMPLATE_LOCK: i64 = 7_305_789_018_236_773;

/// A server that lets us create databases.
pub(super) struct Server {
    /// A database to be connected to while others are created and dropped.
    admin: Url,
    template: OnceCell<String>,
    /// What is said beside the template.
    strategy: &'static str,
}

/// The server to be used, or why there is none.
pub(super) async fn server() -> Result<&'static Server, &'static str> {
    static SERVER: OnceCell<Result<Server, String>> = OnceCell::const_new();
    SERVER.get_or_init(find).await.as_ref().map_err(String::as_str)
}

async fn find() -> Result<Server, String> {
    let admin = if let Some(given) = environment::postgres_url() {
        let url = Url::parse(&given).expect("STOA_TEST_POSTGRES_URL is a URL");
        if let Err(error) = answers(&url).await {
            panic!("the server of STOA_TEST_POSTGRES_URL does not let us in: {error}");
        }
        url
    } else {
        let usual = Url::parse(USUAL).expect("a valid URL");
        if answers(&usual).await.is_ok() { usual } else { private_server::find_or_start().await? }
    };
    let strategy = if copies_files(&admin).await { " STRATEGY FILE_COPY" } else { "" };
    let server = Server { admin, template: OnceCell::new(), strategy };
    server.remove_leftovers().await;
    Ok(server)
}

/// Whether a server lets us in.
pub(super) async fn answers(url: &Url) -> Result<(), String> {
    match tokio::time::timeout(ANSWER_TIMEOUT, connect(url)).await {
        Ok(Ok(connection)) => connection.close().await.map_err(|error| error.to_string()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(String::from("it does not answer")),
    }
}

async fn connect(url: &Url) -> Result<PgConnection, sqlx::Error> {
    PgConnectOptions::from_str(url.as_str())?.disable_statement_logging().connect().await
}

/// Whether databases are better copied by files than page by page: that is a third less work where no disk is waited for. Servers
/// before 15 know nothing else.
async fn copies_files(url: &Url) -> bool {
    let question = "SELECT current_setting('fsync') = 'off' AND current_setting('server_version_num')::int >= 150000";
    let mut admin = connect(url).await.expect("the PostgreSQL server lets us in again");
    let answer: Result<bool, sqlx::Error> = sqlx::query_scalar(question).fetch_one(&mut admin).await;
    close(admin).await;
    answer.expect("the server tells its settings")
}

impl Server {
    /// The URL of one of its databases.
    pub(super) fn database(&self, name: &str) -> DatabaseUrl {
        let mut url = self.admin.clone();
        url.set_path(name);
        // A test's database need not survive a power cut.
        url.query_pairs_mut().append_pair("options", "-csynchronous_commit=off");
        DatabaseUrl::parse(url.as_str()).expect("the URL of a server with another database")
    }

    /// The URL of the database that is always there.
    pub(super) fn anywhere(&self) -> DatabaseUrl {
        DatabaseUrl::parse(self.admin.as_str()).expect("the URL of a server")
    }

    /// The URL of one of its databases for people, without a password.
    pub(super) fn shown(&self, name: &str) -> String {
        let mut url = self.admin.clone();
        url.set_path(name);
        if url.password().is_some() {
            let _ = url.set_password(Some("***"));
        }
        if url.has_host() {
            // Parameters may hold a password too; a private server has only its socket there.
            url.set_query(None);
        }
        url.into()
    }

    /// A new database without any table.
    pub(super) async fn create_empty(&self) -> String {
        self.create("template0").await
    }

    /// A new database with core's migrations.
    pub(super) async fn create_from_template(&self) -> String {
        let template = self.template.get_or_init(|| self.make_template()).await;
        self.create(template).await
    }

    async fn create(&self, template: &str) -> String {
        let name = dated("test", &Random::system().uuid().simple().to_string());
        let mut admin = self.connect().await;
        run(&mut admin, format!("CREATE DATABASE \"{name}\" TEMPLATE \"{template}\"{}", self.strategy)).await;
        close(admin).await;
        name
    }

    /// The database that others are copied from, which is much faster than migrating each. It stays on the server for
    /// the next run, under a name that changes with the migrations.
    async fn make_template(&self) -> String {
        let sets = core_migrations();
        let mut hash = Sha256::new();
        sets.iter().flat_map(|set| set.checksums(Backend::Postgres)).for_each(|checksum| hash.update(checksum));
        let hash = hex::encode(&hash.finalize()[..8]);
        let mut admin = self.connect().await;
        run(&mut admin, format!("SELECT pg_advisory_lock({TEMPLATE_LOCK})")).await;
        let known = names(&mut admin, "stoa\\_template\\_%").await;
        let template = if let Some(known) = known.into_iter().find(|name| name.ends_with(&hash)) {
            known
        } else {
            // Made under a test's name, so that a half-made one is never taken for the template.
            let draft = self.create_empty().await;
            database::migrate(self.database(&draft), &sets).await;
            let name = dated("template", &hash);
            run(&mut admin, format!("ALTER DATABASE \"{draft}\" RENAME TO \"{name}\"")).await;
            name
        };
        // Closing gives the lock back.
        close(admin).await;
        template
    }

    /// Drops a database, from a thread of its own since `Drop` cannot wait otherwise.
    pub(super) fn drop_database(&'static self, name: &str) {
        let name = name.to_owned();
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime starts").block_on(async {
                let mut admin = self.connect().await;
                try_drop(&mut admin, &name).await;
                close(admin).await;
            });
        });
        if dropping.join().is_err() {
            eprintln!("the database of this test could not be dropped");
        }
    }

    /// Removes what earlier runs have left, after some time.
    async fn remove_leftovers(&self) {
        let now = Clock::system().now();
        let mut admin = self.connect().await;
        for (like, kept_for) in [("stoa\\_test\\_%", TEST_KEPT_FOR), ("stoa\\_template\\_%", TEMPLATE_KEPT_FOR)] {
            let oldest = (now - kept_for).timestamp();
            for name in names(&mut admin, like).await {
                if made_at(&name).is_some_and(|made| made < oldest) {
                    try_drop(&mut admin, &name).await;
                }
            }
        }
        close(admin).await;
    }

    async fn connect(&self) -> PgConnection {
        connect(&self.admin).await.expect("the PostgreSQL server lets us in again")
    }
}

/// A name that tells when its database was made.
fn dated(kind: &str, rest: &str) -> String {
    format!("stoa_{kind}_{:x}_{rest}", Clock::system().now().timestamp())
}

fn made_at(name: &str) -> Option<i64> {
    name.split('_').nth(2).and_then(|seconds| i64::from_str_radix(seconds, 16).ok())
}

async fn names(admin: &mut PgConnection, like: &str) -> Vec<String> {
    let query = sqlx::query_scalar("SELECT datname::text FROM pg_database WHERE datname LIKE $1").bind(like);
    query.fetch_all(admin).await.expect("the server lists its databases")
}

async fn run(admin: &mut PgConnection, statement: String) {
    let done = sqlx::raw_sql(AssertSqlSafe(statement)).execute(admin).await;
    done.expect("the user of the PostgreSQL server may create databases");
}

/// Drops a database that somebody else may be dropping too.
async fn try_drop(admin: &mut PgConnection, name: &str) {
    let statement = format!("DROP DATABASE IF EXISTS \"{name}\" WITH (FORCE)");
    if let Err(error) = sqlx::raw_sql(AssertSqlSafe(statement)).execute(admin).await {
        eprintln!("the test database {name} could not be dropped: {error}");
    }
}

async fn close(admin: PgConnection) {
    // Whatever goes wrong here, the connection is gone afterwards.
    let _ = admin.close().await;
}
