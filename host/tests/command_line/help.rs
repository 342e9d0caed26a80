//! What commands tell about themselves.

use super::place::ShopFolder;

/// Commands in a help text: lines of two spaces, a name and a description, before the options.
fn commands(help: &str) -> Vec<String> {
    let before = help.split("\nOptions:").next().unwrap_or(help);
    let names = before.lines().filter_map(|line| {
        let line = line.strip_prefix("  ")?;
        line.starts_with(|first: char| first.is_ascii_lowercase()).then(|| line.split(' ').next())?
    });
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[tokio::test]
async fn every_command_explains_itself_with_an_example() {
    let place = ShopFolder::empty();
    let mut open = vec![String::new()];
    let mut seen = Vec::new();
    while let Some(path) = open.pop() {
        let mut arguments = path.split_whitespace().collect::<Vec<_>>();
        arguments.push("--help");
        let help = place.run(arguments).await.succeeded();
        assert_eq!(help.err, "", "{path}");
        let example = help.out.split("Example").nth(1).unwrap_or_else(|| panic!("no example in `stoa {path} --help`"));
        let starts = example.lines().any(|line| line.trim_start().starts_with("stoa ") || line.contains(" stoa "));
        assert!(starts, "the examples of `stoa {path} --help` do not begin with `stoa`");
        open.extend(commands(&help.out).into_iter().map(|name| format!("{path} {name}")));
        seen.push(path);
    }
    for command in ["serve", "worker", "check", "doctor", "migrate", "token create", "jobs run", "events retry"] {
        assert!(seen.contains(&format!(" {command}")), "{command} was not found in {seen:?}");
    }
}

#[tokio::test]
async fn commands_are_grouped_by_what_they_are_for() {
    let help = ShopFolder::empty().run(["--help"]).await.succeeded().out;
    let at = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text:?} is missing in {help}"));
    assert!(at("Run the shop:") < at("\n  serve ") && at("\n  serve ") < at("Behind the scenes:"));
    assert!(at("Behind the scenes:") < at("\n  jobs "));
    assert!(!help.contains('\u{1b}'), "colors where nobody sees them");
}

/// The code spans of a Markdown text.
fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The rows of the table of commands in the documentation: the commands, and what is said of them.
fn documented() -> Vec<(Vec<&'static str>, Vec<&'static str>)> {
    let page = include_str!("../../../docs/operate/commands.md");
    let table = page.split("\n| Command | Does |\n").nth(1).expect("the page has a table of commands");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let rows = rows.filter_map(|row| row.trim_matches('|').split_once('|'));
    rows.map(|(commands, text)| (code(commands), code(text))).collect()
}

/// Whether these are the first words of a code span.
fn begins(span: &str, words: &str) -> bool {
    span.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[tokio::test]
async fn the_documentation_lists_every_command() {
    let rows = documented();
    let place = ShopFolder::empty();
    for command in commands(&place.run(["--help"]).await.succeeded().out) {
        let its = rows.iter().filter(|(names, _)| names.iter().any(|span| begins(span, &command))).collect::<Vec<_>>();
        assert!(!its.is_empty(), "`stoa {command}` is missing in the table of docs/operate/commands.md");
        for sub in commands(&place.run([command.as_str(), "--help"]).await.succeeded().out) {
            let whole = format!("{command} {sub}");
            let is_told = its.iter().any(|(names, text)| {
                names.iter().any(|span| begins(span, &whole)) || text.iter().any(|span| *span == sub || *span == whole)
            });
            assert!(is_told, "`stoa {whole}` is missing in the table of docs/operate/commands.md");
        }
    }
}

#[tokio::test]
async fn the_version_is_told() {
    let version = ShopFolder::empty().run(["--version"]).await.succeeded().out;
    assert_eq!(version, format!("stoa {}\n", env!("CARGO_PKG_VERSION")));
}

#[tokio::test]
async fn each_shell_gets_a_script_that_knows_the_commands() {
    let place = ShopFolder::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.run(["completions", shell]).await.succeeded().out;
        for word in ["doctor", "--config", "retry"] {
            // fish writes options without their dashes.
            assert!(script.contains(word.trim_start_matches('-')), "{word} is missing for {shell}");
        }
    }
}

#[tokio::test]
async fn every_command_has_a_manual_page_that_says_what_its_help_says() {
    let place = ShopFolder::empty();
    place.run(["man", "pages"]).await.succeeded();
    let page = |command: &str| {
        let name = format!("stoa{}.1", command.replace(' ', "-"));
        std::fs::read_to_string(place.path().join("pages").join(&name))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    assert!(page("").contains("serve"));
    for command in commands(&place.run(["--help"]).await.succeeded().out) {
        assert!(page(&format!(" {command}")).contains("Example"), "{command}");
    }
    assert!(page(" order refund").contains("reason"), "also of commands below others");
    place.write("taken", "a file");
    place.run(["man", "taken"]).await.refused(1, &["cannot write to taken: "]);
}

#[tokio::test]
async fn completions_need_no_valid_configuration() {
    ShopFolder::with("this is no TOML").run(["completions", "bash"]).await.succeeded();
}
