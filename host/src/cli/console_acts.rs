//! What the command line can do stands in the console too, and the other way round: a table of both, which must be whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clap::Command;
use http::Method;
use stoa_core::db::Backend;
use stoa_core::testing::TestShop;
use stoa_kernel::http::table::Access;

use super::{own_commands, own_line};

/// Where what a command does can be done in the console.
enum Place {
    /// By these forms, named as their routes are.
    Console(&'static [&'static str]),
    /// Nowhere: it only tells something.
    Tells,
    /// Nowhere: it belongs to whoever keeps the machine.
    Terminal(&'static str),
}

use Place::{Console, Tells, Terminal};

const MACHINE: &str = "it works on the machine, its files and its processes";
const AUTHORS: &str = "it is for authors of modules, who work in a terminal";
const KEYS: &str = "it changes what the data of the installation are sealed or signed with";

/// Each command, and where it is in the console.
const COMMANDS: &[(&str, Place)] = &[
    ("audit list", Tells),
    ("backup", Terminal(MACHINE)),
    ("category activate", Console(&["console.categories.save"])),
    ("category create", Console(&["console.categories.create"])),
    ("category deactivate", Console(&["console.categories.save"])),
    ("category delete", Console(&["console.categories.delete"])),
    ("category list", Tells),
    ("category set", Console(&["console.categories.save"])),
    ("category show", Tells),
    ("check", Tells),
    ("completions", Terminal(MACHINE)),
    ("credit-note list", Tells),
    ("credit-note pdf", Tells),
    ("credit-note show", Tells),
    ("credit-note xml", Tells),
    ("customer anonymize", Console(&["console.customers.anonymize"])),
    ("customer create", Console(&["console.customers.create"])),
    ("customer edit", Console(&["console.customers.edit", "console.customers.address"])),
    ("customer export", Console(&["console.customers.export"])),
    ("customer list", Tells),
    ("customer sessions", Console(&["console.customers.log_out"])),
    ("customer set-password", Console(&["console.customers.password"])),
    ("customer show", Tells),
    ("customer verify-email", Console(&["console.customers.verify"])),
    ("database copy", Terminal(MACHINE)),
    ("digital-secrets add", Console(&["digital_secrets.add"])),
    ("digital-secrets find", Tells),
    ("digital-secrets list", Tells),
    ("digital-secrets low-water", Console(&["digital_secrets.low-water"])),
    ("digital-secrets pools", Tells),
    ("digital-secrets replace", Console(&["digital_secrets.replace"])),
    ("digital-secrets reveals", Tells),
    ("digital-secrets rotate-key", Terminal(KEYS)),
    ("digital-secrets show", Console(&["digital_secrets.reveal"])),
    ("digital-secrets values", Tells),
    ("digital-secrets void", Console(&["digital_secrets.void"])),
    ("discount create", Console(&["console.discounts.create"])),
    ("discount disable", Console(&["console.discounts.switch"])),
    ("discount enable", Console(&["console.discounts.switch"])),
    ("discount list", Tells),
    ("discount remove", Console(&["console.discounts.remove"])),
    ("discount set", Console(&["console.discounts.change"])),
    ("discount show", Tells),
    ("doctor", Tells),
    ("downloads attach", Console(&["downloads.attach"])),
    ("downloads check", Terminal(MACHINE)),
    ("downloads detach", Console(&["downloads.detach"])),
    ("downloads extend", Console(&["downloads.extend"])),
    ("downloads grants", Tells),
    ("downloads list", Tells),
    ("downloads log", Tells),
    ("downloads revoke", Console(&["downloads.revoke", "downloads.give-back"])),
    ("event-tickets check-in", Console(&["event_tickets.check-in"])),
    ("event-tickets door-list", Tells),
    ("event-tickets event add", Console(&["event_tickets.add-event"])),
    ("event-tickets event list", Tells),
    ("event-tickets event set", Console(&["event_tickets.set-event"])),
    ("event-tickets event show", Tells),
    ("event-tickets keys", Tells),
    ("event-tickets keys rotate", Terminal(KEYS)),
    ("event-tickets list", Tells),
    ("event-tickets pdf", Tells),
    ("event-tickets quota list", Tells),
    ("event-tickets quota set", Console(&["event_tickets.set-quota"])),
    ("event-tickets revocations", Tells),
    ("event-tickets show", Tells),
    ("event-tickets type list", Tells),
    ("event-tickets type set", Console(&["event_tickets.set-type"])),
    ("event-tickets type show", Tells),
    ("event-tickets undo", Console(&["event_tickets.undo"])),
    ("event-tickets void", Console(&["event_tickets.void"])),
    ("events", Tells),
    ("events retry", Console(&["console.events.retry"])),
    ("export", Tells),
    ("import", Console(&["console.imports.upload", "console.imports.run"])),
    ("init", Terminal(MACHINE)),
    ("inventory adjust", Console(&["inventory.adjust"])),
    ("inventory backorder", Console(&["inventory.backorder"])),
    ("inventory forget", Console(&["inventory.forget"])),
    ("inventory history", Tells),
    ("inventory import", Console(&["inventory.import"])),
    ("inventory list", Tells),
    ("inventory low", Tells),
    ("inventory set", Console(&["inventory.count"])),
    ("inventory show", Tells),
    ("invoice list", Tells),
    ("invoice pdf", Tells),
    ("invoice show", Tells),
    ("invoice verify", Tells),
    ("invoice xml", Tells),
    ("jobs list", Tells),
    ("jobs run", Console(&["console.jobs.run"])),
    ("mail list", Tells),
    ("mail resend", Console(&["console.mails.resend", "console.orders.mail"])),
    ("mail retry", Console(&["console.mails.retry"])),
    ("mail show", Tells),
    ("mail templates", Terminal(MACHINE)),
    ("mail test", Console(&["console.mails.test"])),
    ("man", Terminal(MACHINE)),
    ("migrate", Terminal(MACHINE)),
    ("migrate status", Tells),
    ("module check", Terminal(AUTHORS)),
    ("modules", Tells),
    ("new-module", Terminal(AUTHORS)),
    ("openapi", Tells),
    ("order cancel", Console(&["console.orders.cancel"])),
    ("order list", Tells),
    ("order mark-paid", Console(&["console.orders.paid"])),
    ("order note", Console(&["console.orders.note"])),
    ("order refund", Console(&["console.orders.refund"])),
    ("order reviewed", Console(&["console.orders.reviewed"])),
    ("order ship", Console(&["console.orders.ship"])),
    ("order show", Tells),
    ("payment callbacks", Tells),
    ("payment callbacks retry", Console(&["console.payments.callback.retry"])),
    ("payment callbacks show", Tells),
    ("payment list", Tells),
    ("payment reconcile", Console(&["console.payments.ask"])),
    ("payment show", Tells),
    ("product activate", Console(&["console.products.bulk", "console.products.save"])),
    ("product create", Console(&["console.products.create"])),
    ("product deactivate", Console(&["console.products.bulk", "console.products.save"])),
    ("product delete", Console(&["console.products.delete"])),
    ("product list", Tells),
    ("product set", Console(&["console.products.save"])),
    ("product show", Tells),
    ("report oss", Tells),
    ("report sales", Tells),
    ("report tax", Tells),
    ("restore", Terminal(MACHINE)),
    ("routes", Tells),
    ("serve", Terminal(MACHINE)),
    ("services activate", Console(&["services.activate"])),
    ("services hold", Console(&["services.hold"])),
    ("services list", Tells),
    ("services log", Tells),
    ("services resume", Console(&["services.resume"])),
    ("services retry", Console(&["services.retry"])),
    ("services show", Tells),
    ("services suspend", Console(&["services.suspend"])),
    ("services terminate", Console(&["services.terminate"])),
    ("staff create", Console(&["console.staff.create"])),
    ("staff disable", Console(&["console.staff.disable"])),
    ("staff enable", Console(&["console.staff.enable"])),
    ("staff list", Tells),
    ("staff login-link", Console(&["console.staff.link"])),
    ("staff reset", Console(&["console.staff.reset"])),
    ("staff set-role", Console(&["console.staff.role"])),
    ("storefront theme", Terminal(MACHINE)),
    ("subscriptions cancel", Console(&["subscriptions.cancel"])),
    ("subscriptions list", Tells),
    ("subscriptions preview", Tells),
    ("subscriptions resume", Console(&["subscriptions.resume"])),
    ("subscriptions show", Tells),
    ("ticket close", Console(&["console.support.close"])),
    ("ticket create", Console(&["console.support.create"])),
    ("ticket list", Tells),
    ("ticket reopen", Console(&["console.support.reopen"])),
    ("ticket reply", Console(&["console.support.reply"])),
    ("ticket show", Tells),
    ("token create", Console(&["console.customers.token"])),
    ("token list", Tells),
    ("token revoke", Console(&["console.customers.revoke"])),
    ("token show", Tells),
    ("verify", Tells),
    ("webhook add", Console(&["console.webhooks.add"])),
    ("webhook deliveries", Tells),
    ("webhook disable", Console(&["console.webhooks.disable"])),
    ("webhook enable", Console(&["console.webhooks.enable"])),
    ("webhook list", Tells),
    ("webhook listen", Terminal(MACHINE)),
    ("webhook remove", Console(&["console.webhooks.delete"])),
    ("webhook retry", Console(&["console.webhooks.retry", "console.webhooks.retry-all"])),
    ("webhook rotate-secret", Console(&["console.webhooks.rotate-secret"])),
    ("webhook set", Console(&["console.webhooks.set"])),
    ("webhook show", Tells),
    ("webhook show-delivery", Tells),
    ("webhook test", Console(&["console.webhooks.test"])),
    ("webhook verify", Tells),
    ("withdrawal accept", Console(&["console.withdrawals.accept"])),
    ("withdrawal complete", Console(&["console.withdrawals.complete"])),
    ("withdrawal list", Tells),
    ("withdrawal refuse", Console(&["console.withdrawals.refuse"])),
    ("withdrawal show", Tells),
    ("worker", Terminal(MACHINE)),
];

/// What can be done in the console alone, and why.
const CONSOLE_ALONE: &[(&str, &str)] = &[
    ("console.customers.note", "notes are how people who work there tell each other"),
    ("console.login", "nobody logs in at the command line"),
    ("console.login.code", "nobody logs in at the command line"),
    ("console.login.code.passkey", "nobody logs in at the command line"),
    ("console.login.link", "nobody logs in at the command line"),
    ("console.login.passkey", "nobody logs in at the command line"),
    ("console.logout", "nobody logs in at the command line"),
    ("console.security.factor", "a second factor is its owner's"),
    ("console.security.factor.remove", "a second factor is its owner's; `stoa staff reset` takes it away"),
    ("console.security.go-on", "who has set up a second factor goes on to what was kept meanwhile"),
    ("console.security.passkey", "a passkey is its owner's"),
    ("console.security.passkey.remove", "a passkey is its owner's; `stoa staff reset` takes all of them away"),
    ("console.security.password", "a password is its owner's; `stoa staff reset` takes it away"),
    ("console.security.session", "a session is its owner's; `stoa staff reset` ends all"),
];

/// The modules whose commands and pages are looked at: all that the program links and that have some.
const MODULES: [&str; 7] =
    ["digital_secrets", "downloads", "event_tickets", "inventory", "services", "storefront", "subscriptions"];

fn commands_below(command: &Command, path: &str, found: &mut BTreeSet<String>) {
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        let path = format!("{path} {}", below.get_name()).trim_start().to_owned();
        if !below.has_subcommands() || !below.is_subcommand_required_set() {
            found.insert(path.clone());
        }
        commands_below(below, &path, found);
    }
}

#[test]
fn what_the_command_line_does_the_console_does_too_and_the_other_way_round() {
    let shop = TestShop::builder(Backend::Sqlite).all_modules().enabled(&MODULES);
    let program =
        shop.console(Arc::new(stoa_console::register)).freeze().unwrap_or_else(|problems| panic!("{problems}"));

    let mut found = BTreeSet::new();
    let modules = program.registry.commands.iter().filter(|command| MODULES.contains(&command.owner));
    let mut line = modules.fold(own_line(&own_commands()), |line, module| line.subcommand(module.describe()));
    line.build();
    commands_below(&line, "", &mut found);
    let listed = COMMANDS.iter().map(|(name, _)| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(listed, found, "each command stands in the table, and nothing else does");
    assert_eq!(COMMANDS.len(), listed.len(), "a command stands in the table once");

    let is_form = |access: &Access| matches!(access, Access::Console(_) | Access::ConsoleDoor);
    let routes = program.registry.routes.entries.iter();
    let forms = routes.filter(|owned| owned.route.method == Method::POST && is_form(&owned.route.access));
    let forms = forms.map(|owned| owned.route.name).collect::<BTreeSet<_>>();
    let mut by_name = BTreeMap::<&str, Vec<&str>>::new();
    for (command, place) in COMMANDS {
        match place {
            Console(names) => names.iter().for_each(|name| by_name.entry(name).or_default().push(command)),
            Tells => {}
            Terminal(why) => assert!(!why.is_empty(), "{command} belongs to the terminal for a reason"),
        }
    }
    for (name, why) in CONSOLE_ALONE {
        assert!(!why.is_empty() && !by_name.contains_key(name), "{name} is done in the console alone for a reason");
        by_name.insert(name, Vec::new());
    }
    let known = by_name.keys().copied().collect::<BTreeSet<_>>();
    assert_eq!(known, forms, "each form of the console does what a command does, or is in the console alone");
}
