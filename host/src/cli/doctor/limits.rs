//! Where requests are counted.

use stoa_core::auth::{RedisTrouble, examine_limit_store};
use stoa_core::config::{LimitStore, RedisUrl};

use super::finding::Finding;

const CHECK: &str = "limits.store";

/// Whether the counters that instances share can be used.
pub(super) async fn store(store: &LimitStore) -> Finding {
    match store {
        LimitStore::Memory => Finding::ok(CHECK, "each instance counts requests for itself, in memory"),
        LimitStore::Redis(url) => match examine_limit_store(url).await {
            Ok(()) => Finding::ok(CHECK, format!("{url} counts for all instances")),
            Err(trouble) => Finding::failure(CHECK, complaint(url, &trouble), fix(&trouble)),
        },
    }
}

fn complaint(url: &RedisUrl, trouble: &RedisTrouble) -> String {
    format!("{url} cannot be used, so that each instance counts for itself: {trouble}")
}

fn fix(trouble: &RedisTrouble) -> &'static str {
    match trouble {
        RedisTrouble::Refused | RedisTrouble::Silent | RedisTrouble::Connection(_) => {
            "start Redis and let this machine reach it, or correct `limits.store`; redis:// is without TLS, rediss:// with"
        }
        RedisTrouble::Credentials => {
            "correct user and password in `limits.store`, usually set as STOA_LIMITS__STORE=redis://USER:PASSWORD@HOST:PORT"
        }
        RedisTrouble::Rights => {
            "give the user its rights: ACL SETUSER USER ~stoa:limits:* +ping +eval +evalsha +time +hmget +hset +hincrby +pexpire +del"
        }
        RedisTrouble::ReadOnly => "let `limits.store` name the primary server",
        RedisTrouble::Cluster => "let `limits.store` name a single Redis server; counting needs no cluster",
        RedisTrouble::Gibberish => "let `limits.store` name a Redis server, and a database that nobody else writes to",
        RedisTrouble::Refusal(_) => {
            "look at the log of Redis; give it memory, and a database with the number that `limits.store` names"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_does_not_show_the_password() {
        let url = RedisUrl::parse("redis://:hunter2@127.0.0.1:1/").expect("an address");
        let said = complaint(&url, &RedisTrouble::Refused);
        assert!(said.contains("127.0.0.1:1") && !said.contains("hunter2"), "{said}");
    }
}
