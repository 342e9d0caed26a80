//! What the compiler tells authors of modules about the likeliest mistakes.

use std::fs;
use std::path::Path;

/// What the file of each mistake starts with.
const START: &str = "
use std::time::Duration;
use stoa_core::orders::{OrderPaid, OrderPlacing};
use stoa_core::prelude::*;

struct Nothing;
";

/// A part of a module, and words that the compiler answers it with: what is wrong, and what would be right.
const MISTAKES: [(&str, &[&str]); 11] = [
    ("stoa_core::module!(Nothing);", &["is no module", "a module has a `NAME`, a `Config` and `register`"]),
    (
        "#[derive(Default, Deserialize)]
        struct Settings {}
        struct Unset;
        impl Module for Unset {
            const NAME: &'static str = \"unset\";
            type Config = Settings;
            fn register(_: Settings, _: &mut ModuleContext<'_>) -> Result<(), RegisterError> { Ok(()) }
        }",
        &["is no type of a module's settings", "implement `ModuleConfig` for it"],
    ),
    (
        "fn handle() -> ApiResult<Data<u8>> { Ok(Data(1)) }
        fn add(routes: Routes<()>) -> Routes<()> { routes.get(\"tea.pour\", \"/tea\", handle) }",
        &[
            "is no handler of a route",
            "a handler is an `async fn` of at most eight arguments",
            "it answers `ApiResult<…>`",
        ],
    ),
    (
        "fn register(cx: &mut ModuleContext<'_>) { cx.job(Nothing); }",
        &["is no job", "a job has a `NAME`, `EVERY`, `Uses` and `run`"],
    ),
    (
        "#[derive(Clone)]
        struct Settings;
        struct Pour;
        impl Job for Pour {
            const NAME: &'static str = \"tea.pour\";
            const EVERY: Duration = Duration::from_secs(60);
            type Uses = Settings;
            async fn run(&self, _: &Settings) -> Result<(), String> { Ok(()) }
        }",
        &["is nothing that a shop has", "the settings of a module come to its `register`"],
    ),
    (
        "fn register(cx: &mut ModuleContext<'_>) { cx.command::<Nothing>(()); }",
        &["is no command", "a command derives `clap::Args`"],
    ),
    (
        "fn register(cx: &mut ModuleContext<'_>) { cx.personal_data(Nothing); }",
        &["does not say what is personal in it", "`forget` erases, `export` tells"],
    ),
    (
        "fn register(cx: &mut ModuleContext<'_>) { cx.on_committed::<OrderPaid>(\"tea.pour\", Nothing); }",
        &["does not listen to", "after a commit", "implement `AfterCommit<"],
    ),
    (
        "fn register(cx: &mut ModuleContext<'_>) { cx.on_committed::<OrderPlacing>(\"tea.pour\", Nothing); }",
        &["nobody is told of", "after a commit", "`on_preflight` or `on_transaction` may be meant"],
    ),
    (
        "fn register(cx: &mut ModuleContext<'_>) { cx.on_transaction::<OrderPaid>(\"tea.pour\", Nothing); }",
        &["inside of a transaction", "`on_preflight` or `on_committed` may be meant"],
    ),
    (
        "fn register(cx: &mut ModuleContext<'_>) { cx.on_preflight::<OrderPlacing>(\"tea.pour\", Nothing); }",
        &["before a transaction begins", "`on_transaction` or `on_committed` may be meant"],
    ),
];

/// Writes one mistake after the other into the crate in `folder`, which is without any, and looks at what `check` answers: whether
/// the crate compiles, and what the compiler said.
pub(super) async fn are_explained(folder: &Path, check: impl AsyncFn() -> (bool, String)) {
    let library = folder.join("src/lib.rs");
    let sound = fs::read_to_string(&library).expect("there is a library");
    fs::write(&library, format!("{sound}\nmod mistake;\n")).expect("the folder is ours");
    for (mistake, words) in MISTAKES {
        fs::write(folder.join("src/mistake.rs"), format!("{START}{mistake}\n")).expect("the folder is ours");
        let (compiles, said) = check().await;
        assert!(!compiles, "this compiles:\n{mistake}");
        for word in words {
            assert!(said.contains(word), "{word:?} is missing in what is said about\n{mistake}\n\n{said}");
        }
    }
    fs::write(&library, sound).expect("the folder is ours");
}
