//! Nothing to do: Cargo asks for a build script where a package has `links`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
