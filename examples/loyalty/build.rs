//! Migrations are embedded by a macro, which the compiler does not run again for a new file alone.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
