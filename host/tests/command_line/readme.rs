//! The examples of the README and of the pages of `docs`, pasted in order into a shell beside the running demo.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use super::place::ShopFolder;
use super::stock::stop;

/// The pages with blocks of commands, in the order in which they are pasted: what one makes, those after it work with.
const PAGES: &[&str] = &[
    "README.md",
    "docs/README.md",
    "docs/quick-start.md",
    "docs/operate/settings.md",
    "docs/sell/catalog.md",
    "docs/modules.md",
    "docs/sell/discounts.md",
    "docs/sell/customers.md",
    "docs/storefront/login.md",
    "docs/storefront/README.md",
    "docs/storefront/clients.md",
    "docs/sell/orders.md",
    "docs/sell/payments.md",
    "docs/sell/invoices.md",
    "docs/sell/tax.md",
    "docs/sell/mail.md",
    "docs/sell/law.md",
    "docs/webhooks.md",
    "docs/operate/console.md",
    "docs/operate/monitor.md",
    "docs/operate/databases.md",
    "docs/operate/object-storage.md",
    "docs/operate/backup.md",
    "docs/operate/litestream.md",
    "docs/operate/deploy.md",
    "docs/operate/recipe.md",
];

/// The quick start in other languages, whose commands differ by names alone; each is pasted by itself.
const TRANSLATED: &[&str] = &["docs/quick-start.de.md", "docs/quick-start.nl.md"];

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

/// Every block of commands, by its first one. A new block fails the test until it stands here.
const BLOCKS: &[(&str, How)] = &[
    ("cargo run --release -- serve --demo", Left("it builds the program, whose demo the test serves")),
    ("cargo install --locked --path host", Pasted),
    ("mkdir ~/lamps", Apart),
    ("mkdir ~/my-shop", Apart),
    ("stoa import products_export_1.csv", Pasted),
    ("stoa product list --q lamp", Pasted),
    ("stoa modules", Pasted),
    ("stoa discount create SUMMER-10", Pasted),
    ("echo 'correct horse battery staple' > password.txt", Pasted),
    ("stoa token create --customer ada@example.com --name \"Ada's script\"", Pasted),
    ("curl -c jar", Pasted),
    ("curl -D headers", Pasted),
    ("SHOP=http://127.0.0.1:8080", Left("the demo that the test serves has another port")),
    ("TOKEN=$(curl -s $SHOP/api/v1/auth/guest-tokens", Pasted),
    ("cd examples/starter-storefront", Left("it needs packages of npm; tests in a browser serve that storefront")),
    ("stoa order list --status pending", Pasted),
    ("stoa payment list --status paid", Pasted),
    ("echo \"It hums from dusk till dawn.\"", Pasted),
    ("stoa customer export --email grace@example.com", Pasted),
    ("stoa invoice list --status paid", Pasted),
    ("stoa order refund O-000001", Pasted),
    ("stoa webhook add --url https://accounting.example.com/stoa", Pasted),
    ("stoa webhook listen --port 4000", Left("it listens until it is stopped, and needs private destinations allowed")),
    (
        "createuser stoa --pwprompt",
        Left("it makes a user and a database on the server of PostgreSQL, and asks for a password"),
    ),
    ("stoa report oss", Pasted),
    ("stoa mail templates mail", Pasted),
    ("stoa mail test --to owner@example.com", Pasted),
    ("stoa withdrawal list --status declared", Left("nobody can withdraw before `shop.consumer_rights` is set")),
    ("stoa doctor", Pasted),
    ("stoa staff create --email ada@example.com", Pasted),
    ("aws s3 sync data/media", Left("it needs a bucket")),
    ("aws s3 sync data/downloads", Left("it needs a bucket")),
    ("stoa backup shop.tar.gz", Pasted),
    ("mkdir drill", Apart),
    ("cp deploy/litestream/litestream.yml", Left("it installs a unit of systemd, as root")),
    ("sudo -u stoa litestream ", Left("it needs Litestream; tests under fire follow a shop by the same recipe")),
    ("systemctl stop stoa litestream", Left("it stops the shop that systemd runs, as root")),
    ("deploy/package", Left("it builds packages, and installs one as root")),
    ("cargo build --profile dist --locked", Left("it installs the program with systemd, as root")),
    ("shop doctor", Left("it works on the shop that systemd runs, as root")),
    ("docker build -t stoa .", Left("it needs Docker")),
    ("cd deploy/compose", Left("it needs Docker Compose")),
    ("docker compose ", Left("it needs Docker Compose")),
    ("cp deploy/kubernetes/secrets.env.example", Left("it needs Kubernetes")),
];

/// Commands in pasted blocks that are not run, and why.
const LEFT: &[(&str, &str)] = &[
    ("cargo install --locked --path host", "it builds the program, which is there already"),
    ("stoa init  ", "it asks whoever sits at a terminal"),
    ("stoa serve", "it runs until it is stopped"),
    ("STOA_SERVER__LISTEN=127.0.0.1:8081 stoa serve", "it runs until it is stopped"),
    ("stoa webhook test 1", "it asks a server on the internet"),
    ("stoa report oss", "the demo has no VAT ID"),
    ("stoa mail test", "the demo has no mail server"),
    ("stoa mail show 42", "the demo has no mail server, so there is no mail"),
    ("stoa mail retry 42", "the demo has no mail server, so there is no mail"),
];

/// The commands of each block, each with the lines that go on with it.
fn blocks(page: &str) -> Vec<Vec<String>> {
    let mut blocks = Vec::new();
    let mut open: Option<Vec<String>> = None;
    for line in page.lines() {
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
    known.unwrap_or_else(|| panic!("a page has a block that begins with `{first}`: say in BLOCKS how it is tried")).1
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

pub(super) fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub(super) fn page(path: &str) -> String {
    fs::read_to_string(top().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All blocks, in the order in which they are pasted.
fn all_blocks() -> Vec<Vec<String>> {
    PAGES.iter().flat_map(|path| blocks(&page(path))).collect()
}

/// The paths of all pages below a folder, from the top of the project.
pub(super) fn pages_below(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(top().join(folder)).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read")).flat_map(|entry| {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() { pages_below(&path) } else { vec![path] }
    });
    paths.filter(|path| path.strip_suffix(".md").is_some()).collect()
}

#[test]
fn every_page_with_commands_is_pasted() {
    let with_commands = pages_below("docs").into_iter().filter(|path| !blocks(&page(path)).is_empty());
    let forgotten =
        with_commands.filter(|path| !PAGES.contains(&path.as_str()) && !TRANSLATED.contains(&path.as_str()));
    let forgotten = forgotten.collect::<Vec<_>>();
    assert!(forgotten.is_empty(), "add these to PAGES, so that their commands are tried: {forgotten:?}");
}

#[test]
fn every_block_that_the_test_knows_stands_on_a_page() {
    let found = all_blocks();
    for (start, _) in BLOCKS {
        assert!(found.iter().any(|block| block[0].starts_with(start)), "no block begins with `{start}` any more");
    }
    for (start, reason) in LEFT {
        let named = found.iter().flatten().any(|command| command.starts_with(start));
        assert!(named, "no command begins with `{start}` ({reason}) any more");
    }
}

/// The first three words of each command, which do not depend on the language.
fn outline(path: &str) -> Vec<Vec<String>> {
    let words = |command: &String| command.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    blocks(&page(path)).iter().map(|block| block.iter().map(words).collect()).collect()
}

#[test]
fn the_quick_start_has_the_same_commands_in_every_language() {
    for path in TRANSLATED {
        assert_eq!(outline(path), outline("docs/quick-start.md"), "{path}");
    }
}

/// Pages that are read where the sources are; links of all others are tried by the module that shows them.
const BESIDE_THE_SOURCES: &[&str] =
    &["README.md", "AGENTS.md", "SECURITY.md", "CONTRIBUTING.md", "core/ARCHITECTURE.md"];

#[test]
fn what_is_linked_to_beside_the_sources_is_there() {
    let examples = fs::read_dir(top().join("examples")).expect("the folder is there");
    let examples = examples.map(|entry| entry.expect("it can be read").file_name());
    let examples = examples.map(|name| format!("examples/{}/README.md", name.to_string_lossy()));
    let pages = BESIDE_THE_SOURCES.iter().map(|path| String::from(*path)).chain(examples);
    let mut missing = Vec::new();
    for path in pages {
        let text = page(&path);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        // Items of crates are for rustdoc, which looks at them itself.
        let inside = targets.filter(|target| !target.is_empty() && !target.contains("::") && !target.contains("://"));
        let folder = top().join(&path).with_file_name("");
        missing.extend(inside.filter(|target| !folder.join(target).exists()).map(|target| format!("{path}: {target}")));
    }
    assert!(missing.is_empty(), "these links lead nowhere: {missing:?}");
}

#[test]
fn the_readme_is_read_in_one_go() {
    let readme = page("README.md");
    let lines = readme.lines().count();
    assert!(lines <= 150, "it has {lines} lines");
    for picture in ["storefront", "console", "terminal"] {
        assert!(
            readme.contains(&format!("](docs/pictures/{picture}.webp)")),
            "the picture of the {picture} is missing"
        );
    }
}

/// What readers bring: files of their present shops.
fn bring_files(place: &ShopFolder) {
    fs::create_dir(place.path().join("home")).expect("the folder is ours");
    let shopify = "Handle,Title,Variant Price\nstool,Stool,49.00\n";
    place.write("home/products_export.csv", shopify);
    place.write("products_export_1.csv", shopify);
    place.write("wc-product-export.csv", "Type,Name,Regular price\nsimple,Bench,149\n");
}

/// Pastes a script into a shell, whose home is a folder of the place.
async fn paste(place: &ShopFolder, script: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_stoa")).parent().expect("the program is in a folder");
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", program.display());
    let mut bash = Command::new("bash");
    bash.arg("-c").arg(script).current_dir(place.path()).env_clear().env("PATH", path);
    bash.env("HOME", place.path().join("home")).stdin(Stdio::null()).kill_on_drop(true);
    let ended = bash.output().await.expect("bash is there");
    let (out, err) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success(), "{err}\n--- printed\n{out}");
}

#[tokio::test]
async fn the_quick_start_works_in_every_language_when_it_is_pasted() {
    for path in TRANSLATED {
        let place = ShopFolder::empty();
        bring_files(&place);
        paste(&place, &script(&blocks(&page(path)))).await;
    }
}

#[tokio::test]
async fn the_examples_work_when_they_are_pasted_in_order_beside_the_demo() {
    let place = ShopFolder::empty().variable("STOA_SERVER__LISTEN", "127.0.0.1:0");
    place.write(
        "config.toml",
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../config.toml")).expect("it is there"),
    );
    bring_files(&place);

    let mut demo = place.start(["serve", "--demo"]);
    let address = demo.line("listening on http://").await;
    paste(&place, &script(&all_blocks()).replace("127.0.0.1:8080", &address)).await;
    let catalog = page("docs/sell/catalog.md");
    let files = catalog.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect::<Vec<_>>();
    assert_eq!(files.len(), 2, "the page shows two import files");
    for lines in files {
        place.write("own.jsonl", lines);
        place.run(["import", "own.jsonl"]).await.succeeded();
    }
    stop(demo).await;
}
