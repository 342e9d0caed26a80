//! A shop behind a pooler and with a standby, as its operator meets it.

use serde_json::Value;
use stoa_core::testing::run_machines_test;

use super::place::{ShopFolder, found};

/// What the doctor says about a check, with the mend.
fn told(findings: &[Value], check: &str) -> String {
    findings.iter().filter(|finding| finding["check"] == check).map(ToString::to_string).collect()
}

#[test]
fn a_pooler_that_nobody_has_named_is_told_with_the_mend_and_one_that_is_named_is_worked_through() {
    run_machines_test(async |machines| {
        machines.add_pooler("pool", "one", "");
        machines.add_standby("two", "one");
        let config =
            format!("[server]\nlisten = \"127.0.0.1:0\"\n[database]\nurl = \"{}\"\n", machines.address(&["pool"]));
        let place = ShopFolder::with(&config);
        place.run(["migrate"]).await.refused(1, &["set `database.pooler = \"transaction\"`"]);
        let doctor = place.run(["doctor", "--json"]).await;
        let said = told(&doctor.data(), "database.reachable");
        assert!(doctor.code == 1 && said.contains(r#""fix":"set `database.pooler = \"transaction\"`"#), "{said}");

        let standby = machines.address(&["two"]);
        let place =
            place.variable("STOA_DATABASE__POOLER", "transaction").variable("STOA_DATABASE__READ_URL", &standby);
        place.run(["migrate"]).await.succeeded();
        place.run(["order", "list", "--json"]).await.succeeded();
        place.run(["verify"]).await.succeeded();
        let findings = place.run(["doctor", "--json"]).await.data();
        for check in ["database.reachable", "database.pooler", "database.replica", "database.writable", "migrations"] {
            assert!(found(&findings, check, "ok"), "{check}: {findings:?}");
        }
        // What needs one server process names how it gets one.
        place.run(["backup", "shop.tar.gz"]).await.refused(1, &["STOA_DATABASE__POOLER=none"]);

        let place = place
            .variable("STOA_DATABASE__URL", &machines.address(&["two", "one"]))
            .variable("STOA_DATABASE__POOLER", "none")
            .variable("STOA_DATABASE__READ_URL", &machines.address(&["one"]));
        let findings = place.run(["doctor", "--json"]).await.data();
        let servers = told(&findings, "database.servers");
        assert!(servers.contains("one.socket/.s.PGSQL.5432 is in use"), "{servers}");
        assert!(servers.contains("two.socket/.s.PGSQL.5432 is a standby"), "{servers}");
        // A primary is not what lists are to be read from.
        assert!(found(&findings, "database.replica", "warning"), "{findings:?}");
        place.run(["order", "list", "--json"]).await.succeeded();
        machines.crash("two");
        let findings = place.run(["doctor", "--json"]).await.data();
        assert!(found(&findings, "database.servers", "warning"), "{findings:?}");
    });
}
