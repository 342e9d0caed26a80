//! Finds the files that pages are made of, where they stand in the repository. A package has none of them: a program that is built from
//! packages alone shows no documentation.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Single files, beside all of `docs`, the guide for authors of modules and the README of each module.
const FILES: [&str; 7] = [
    "CHANGELOG.md",
    "clients/typescript/README.md",
    "config.toml",
    "core/README.md",
    "examples/my-shop/README.md",
    "examples/starter-storefront/README.md",
    "examples/webhook-receiver/README.md",
];

/// Folders of which everything is taken.
const FOLDERS: [&str; 2] = ["docs", "core/guide"];

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let mut found = Vec::new();
    if root.join("docs/README.md").is_file() {
        found.extend(FILES.map(|file| root.join(file)));
        for folder in FOLDERS {
            collect(&root.join(folder), &mut found)?;
        }
        for module in fs::read_dir(root.join("modules"))? {
            let readme = module?.path().join("README.md");
            found.extend(readme.is_file().then_some(readme));
        }
    }
    found.sort();
    let mut table = String::from("&[\n");
    for file in &found {
        let path = file.strip_prefix(&root).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        println!("cargo::rerun-if-changed={}", file.display());
        writeln!(table, "({path:?}, include_bytes!({:?}).as_slice()),", file.display().to_string())
            .map_err(io::Error::other)?;
    }
    table.push(']');
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    #[expect(clippy::disallowed_methods, reason = "that is how Cargo tells a build script where to write")]
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo names no OUT_DIR"))?;
    fs::write(Path::new(&out).join("sources.rs"), table)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}
