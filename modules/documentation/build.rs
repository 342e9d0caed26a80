//! A page that is new or changed is compiled in anew.

fn main() {
    println!("cargo::rerun-if-changed=sources");
    println!("cargo::rerun-if-changed=sources/docs/");
}
