//! Has core compiled again when a migration is added.

fn main() {
    println!("cargo::rerun-if-changed=migrations/sqlite");
    println!("cargo::rerun-if-changed=migrations/postgres");
}
