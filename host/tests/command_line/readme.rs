//! The README's examples, pasted in order into a shell beside the running demo.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use super::place::ShopFolder;
use super::stock::stop;

/// What is done with a block of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// It is pasted, after all before it.
    Pasted,
    /// It is pasted into a shell of its own, as it is about another folder.
    Apart,
    /// It is not, and why.
    Left(&'static str),
}

use How::{Apart, Left, Pasted};

/// Every block of commands in the README, by its first one. A new block fails the test until it stands here.
const BLOCKS: &[(&str, How)] = &[
    ("cargo run --release -- serve --demo", Left("it builds the program, whose demo the test serves")),
    ("cargo install --locked --path host", Pasted),
    ("mkdir ~/my-shop", Apart),
    ("stoa import products_export_1.csv", Pasted),
    ("stoa product list --q lamp", Pasted),
    ("stoa modules", Pasted),
    ("echo 'correct horse battery staple' > password.txt", Pasted),
    ("stoa token create --customer ada@example.com --name \"Ada's script\"", Pasted),
    ("curl -c jar", Pasted),
    ("curl -D headers", Pasted),
    ("TOKEN=$(stoa token create", Pasted),
    ("stoa order list --status pending", Pasted),
    ("stoa payment list --status paid", Pasted),
    ("echo \"It hums from dusk till dawn.\"", Pasted),
    ("stoa customer export --email ada@example.com", Pasted),
    ("stoa invoice list --status paid", Pasted),
    ("stoa order refund O-000001", Pasted),
    ("stoa webhook add --url https://accounting.example.com/stoa", Pasted),
    ("stoa webhook listen --port 4000", Left("it listens until it is stopped, and needs private destinations allowed")),
    (
        "createuser stoa --pwprompt",
        Left("it makes a user and a database on the server of PostgreSQL, and asks for a password"),
    ),
    ("stoa staff create --email ada@example.com", Pasted),
    ("stoa backup shop.tar.gz", Pasted),
    ("mkdir drill", Apart),
    ("cargo build --profile dist --locked", Left("it installs the program with systemd, as root")),
    ("shop doctor", Left("it works on the shop that systemd runs, as root")),
    ("docker build -t stoa .", Left("it needs Docker")),
];

/// Commands in pasted blocks that are not run, and why.
const LEFT: &[(&str, &str)] = &[
    ("cargo install --locked --path host", "it builds the program, which is there already"),
    ("stoa init", "it asks whoever sits at a terminal"),
    ("stoa serve", "it runs until it is stopped"),
    ("STOA_SERVER__LISTEN=127.0.0.1:8081 stoa serve", "it runs until it is stopped"),
    ("stoa webhook test 1", "it asks a server on the internet"),
];

/// The commands of each block, each with the lines that go on with it.
fn blocks(readme: &str) -> Vec<Vec<String>> {
    let mut blocks = Vec::new();
    let mut open: Option<Vec<String>> = None;
    for line in readme.lines() {
        match (&mut open, line) {
            (None, "```console") => open = Some(Vec::new()),
            (None, _) => {}
            (Some(_), "```") => blocks.extend(open.take()),
            (Some(commands), line) => {
                if let Some(command) = line.strip_prefix("$ ").or_else(|| line.strip_prefix("# ")) {
                    commands.push(command.to_owned());
                } else {
                    let command = commands.last_mut().expect("a block begins with a command");
                    let _ = write!(command, "\n{line}");
                }
            }
        }
    }
    blocks
}

/// What is to be done with a block.
fn how(block: &[String]) -> How {
    let first = block.first().expect("no block is empty");
    let known = BLOCKS.iter().find(|(start, _)| first.starts_with(start));
    known
        .unwrap_or_else(|| panic!("the README has a block that begins with `{first}`: say in BLOCKS how it is tried"))
        .1
}

fn script(blocks: &[Vec<String>]) -> String {
    let mut script =
        String::from("set -o pipefail\ncurl() { command curl --silent --show-error --fail-with-body \"$@\"; }\n");
    for block in blocks {
        let how = how(block);
        if matches!(how, Left(_)) {
            continue;
        }
        let left = |command: &&String| !LEFT.iter().any(|(start, _)| command.starts_with(start));
        script.push_str(if how == Apart { "(\n" } else { "{\n" });
        for command in block.iter().filter(left) {
            let shown = command.lines().next().unwrap_or_default().replace('\'', "'\\''");
            let _ =
                writeln!(script, "{command}\nended=$?; [ $ended = 0 ] || {{ echo '::{shown}' $ended >&2; exit 9; }}");
        }
        script.push_str(if how == Apart { ":\n) || exit 9\n" } else { ":\n}\n" });
    }
    script
}

fn readme() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    std::fs::read_to_string(file).expect("the README is there")
}

#[test]
fn every_block_that_the_test_knows_stands_in_the_readme() {
    let found = blocks(&readme());
    for (start, _) in BLOCKS {
        assert!(found.iter().any(|block| block[0].starts_with(start)), "no block begins with `{start}` any more");
    }
    for (start, reason) in LEFT {
        let named = found.iter().flatten().any(|command| command.starts_with(start));
        assert!(named, "no command begins with `{start}` ({reason}) any more");
    }
}

#[tokio::test]
async fn the_readmes_examples_work_when_they_are_pasted_in_order_beside_the_demo() {
    let readme = readme();
    let place = ShopFolder::empty().variable("STOA_SERVER__LISTEN", "127.0.0.1:0");
    place.write(
        "config.toml",
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../config.toml")).expect("it is there"),
    );
    // What its readers bring: files of their present shops.
    std::fs::create_dir(place.path().join("home")).expect("the folder is ours");
    let shopify = "Handle,Title,Variant Price\nstool,Stool,49.00\n";
    place.write("home/products_export.csv", shopify);
    place.write("products_export_1.csv", shopify);
    place.write("wc-product-export.csv", "Type,Name,Regular price\nsimple,Bench,149\n");

    let mut demo = place.start(["serve", "--demo"]);
    let address = demo.line("listening on http://").await;
    let script = script(&blocks(&readme)).replace("127.0.0.1:8080", &address);
    let program = Path::new(env!("CARGO_BIN_EXE_stoa")).parent().expect("the program is in a folder");
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", program.display());
    let mut bash = Command::new("bash");
    bash.arg("-c").arg(&script).current_dir(place.path()).env_clear().env("PATH", path);
    bash.env("HOME", place.path().join("home")).stdin(Stdio::null()).kill_on_drop(true);
    let ended = bash.output().await.expect("bash is there");
    let (out, err) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success(), "{err}\n--- printed\n{out}");
    let lines = readme.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an import file");
    place.write("own.jsonl", lines);
    place.run(["import", "own.jsonl"]).await.succeeded();
    stop(demo).await;
}
