//! The starter storefront in a browser: its development server passes on to a real shop.

use std::process::Stdio;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::{is_ready, starter};
use crate::chromium::{PATIENCE, with_chromium};
use crate::demo_shop::DemoShop;
use crate::storefront::shopper::{SETTINGS, Shopper};
use crate::watch::Told;

/// Runs a test with a visitor of the starter storefront, and fails when a script of it did.
fn shop_there(test: impl AsyncFnOnce(&Shopper)) {
    if !is_ready() {
        return;
    }
    with_chromium(async |chromium| {
        let mut shop = DemoShop::start_with(&SETTINGS).await;
        let (_server, origin) = serve(&shop.origin).await;
        shop.origin = origin;
        let shopper = Shopper::start(chromium, shop).await;
        test(&shopper).await;
        let told = shopper.visit.watch.told();
        let thrown = told.iter().filter(|told| matches!(told, Told::Exception(_))).collect::<Vec<_>>();
        assert!(thrown.is_empty(), "{thrown:#?}");
        shopper.visit.leave().await;
    });
}

/// The development server, which runs as long as the process is kept, and its origin.
async fn serve(shop: &str) -> (Child, String) {
    let mut command = Command::new("node");
    command.args(["node_modules/vite/bin/vite.js", "--host", "127.0.0.1", "--port", "0"]).current_dir(starter());
    command.env("SHOP", shop).env("NO_COLOR", "1").kill_on_drop(true);
    let mut server = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("node was there before");
    let mut printed = BufReader::new(server.stdout.take().expect("it is piped")).lines();
    while let Some(line) = timeout(PATIENCE, printed.next_line()).await.expect("it starts in time").expect("UTF-8") {
        if let Some((_, address)) = line.split_once("Local:") {
            let origin = address.trim().trim_end_matches('/').to_owned();
            // It must never wait for somebody to read what it prints.
            tokio::spawn(async move { while let Ok(Some(_)) = printed.next_line().await {} });
            return (server, origin);
        }
    }
    panic!("Vite ended before it told its address");
}

/// Puts an apron with two choices into the cart, and goes to the checkout.
async fn collect(shopper: &Shopper) {
    shopper.go("/?q=apron").await;
    shopper.click("link", "Pottering Apron").await;
    shopper.click("radio", "Sage").await;
    shopper.sees("€48.00").await;
    shopper.choose("Length (optional)", "Long").await;
    shopper.sees("€52.00").await;
    shopper.click("button", "Add to cart").await;
    shopper.sees("Subtotal €52.00").await;
    shopper.click("link", "Checkout").await;
    shopper.sees("Street and number").await;
}

/// Says where it goes and how it is paid, and waits for the total.
async fn choose(shopper: &Shopper, payment: &str) {
    for (label, text) in [
        ("Name", "Ada Buyer"),
        ("Street and number", "Keizersgracht 1"),
        ("Postal code", "1015 AA"),
        ("City", "Amsterdam"),
    ] {
        shopper.fill(label, text).await;
    }
    shopper.choose("Country", "Netherlands").await;
    shopper.click("radio", "Standard shipping…").await;
    shopper.click("radio", payment).await;
    shopper.until("the total is known", "document.querySelector('.checkout > button').disabled === false").await;
    shopper.sees("Order with obligation to pay €52.00").await;
}

/// Orders what was collected, which is paid at once.
async fn order_and_pay(shopper: &Shopper) {
    choose(shopper, "Test payment (no money moves)").await;
    shopper.click("button", "Order with obligation to pay €52.00").await;
    shopper.sees("Thank you. Your order is paid.").await;
}

#[test]
fn a_guest_orders_with_choices_in_the_starter_storefront_and_sees_that_it_is_paid() {
    shop_there(async |shopper| {
        shopper.resize(320).await;
        collect(shopper).await;
        shopper.fill("E-mail", "ada@example.com").await;
        order_and_pay(shopper).await;
        shopper.sees("Color: Sage").await;
        shopper.sees("Length: Long, 100 cm").await;
        shopper.sees("Keizersgracht 1").await;
        shopper.go("/cart").await;
        shopper.sees("It is empty.").await;
        shopper.go("/account").await;
        shopper.sees("You are here as a guest: Ada Buyer").await;
        shopper.sees("Pottering Apron").await;
    });
}

/// How often the page has asked the shop who somebody is.
const ASKED: &str = "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/v1/me')).length";

#[test]
fn the_starter_storefront_asks_who_somebody_is_only_when_somebody_may_be_logged_in() {
    shop_there(async |shopper| {
        shopper.go("/account").await;
        shopper.sees("New here?").await;
        assert_eq!(shopper.value(ASKED).await, json!(0), "nobody has been here before");
        collect(shopper).await;
        assert_eq!(shopper.value(ASKED).await, json!(0), "there is a cart, and nobody whom it belongs to");
        shopper.fill("E-mail", "ada@example.com").await;
        order_and_pay(shopper).await;
        shopper.go("/account").await;
        shopper.sees("You are here as a guest: Ada Buyer").await;
        assert_eq!(shopper.value(ASKED).await, json!(1));
        shopper.press("button", "Log out").await;
        shopper.go("/account").await;
        shopper.sees("New here?").await;
        assert_eq!(shopper.value(ASKED).await, json!(0), "the guest has left");
    });
}

#[test]
fn the_starter_storefront_and_the_shop_speak_the_language_that_is_chosen() {
    shop_there(async |shopper| {
        shopper.go("/account").await;
        shopper.sees("New here?").await;
        for (list, language, page, button, problem) in [
            ("Language", "Deutsch", "Neu hier?", "Anmelden", "Die E-Mail-Adresse oder das Passwort ist nicht richtig."),
            ("Sprache", "Nederlands", "Nieuw hier?", "Inloggen", "Het e-mailadres of het wachtwoord is niet juist."),
        ] {
            shopper.choose(list, language).await;
            shopper.sees(page).await;
            let email = shopper.visit.shop.email.clone();
            shopper.visit.enter("#login-email", &email).await;
            shopper.visit.enter("#password", "not this one").await;
            shopper.click("button", button).await;
            shopper.sees(problem).await;
        }
        shopper.go("/cart").await;
        shopper.sees("Deze is leeg.").await;
    });
}

#[test]
fn the_starter_storefront_finds_an_order_whose_answer_was_lost_also_after_a_reload() {
    shop_there(async |shopper| {
        collect(shopper).await;
        shopper.fill("E-mail", "ada@example.com").await;
        choose(shopper, "Test payment (no money moves)").await;
        // The shop hears the order, and nobody hears the shop.
        let lose = "const own = window.fetch;
            window.fetch = async (input, init) => {
                const answer = await own(input, init);
                if (input.method === 'POST' && input.url.endsWith('/api/v1/checkout')) throw new TypeError('lost');
                return answer;
            };";
        shopper.value(lose).await;
        shopper.click("button", "Order with obligation to pay €52.00").await;
        shopper.sees("The shop cannot be reached.").await;
        shopper.go("/checkout").await;
        shopper.sees("Thank you. Your order is paid.").await;
        assert!(shopper.path().await.starts_with("/orders/"), "{}", shopper.path().await);
    });
}

#[test]
fn a_cart_that_has_changed_meanwhile_is_shown_by_the_starter_storefront_before_it_is_ordered() {
    shop_there(async |shopper| {
        collect(shopper).await;
        shopper.fill("E-mail", "ada@example.com").await;
        choose(shopper, "Test payment (no money moves)").await;
        // As in another window, just before the order arrives.
        let add = "const own = window.fetch;
            window.fetch = async (input, init) => {
                if (input.method === 'POST' && input.url.endsWith('/api/v1/checkout')) {
                    window.fetch = own;
                    const headers = new Headers(input.headers);
                    headers.delete('Idempotency-Key');
                    const body = JSON.stringify({ product_id: 4, quantity: 1, selections: { color: 'sage' } });
                    await own('/api/v1/cart', { method: 'POST', headers, body });
                }
                return own(input, init);
            };";
        shopper.value(add).await;
        shopper.click("button", "Order with obligation to pay €52.00").await;
        shopper.sees("Order with obligation to pay €100.00").await;
        shopper.sees("€48.00").await;
        shopper.click("button", "Order with obligation to pay €100.00").await;
        shopper.sees("Thank you. Your order is paid.").await;
    });
}

#[test]
fn a_customer_of_the_starter_storefront_finds_an_order_in_the_account_and_orders_it_again() {
    shop_there(async |shopper| {
        shopper.go("/account").await;
        shopper.sees("New here?").await;
        let (email, password) = (shopper.visit.shop.email.clone(), shopper.visit.shop.password.clone());
        shopper.visit.enter("#login-email", &email).await;
        shopper.visit.enter("#password", &password).await;
        shopper.click("button", "Log in").await;
        shopper.sees("You are logged in as").await;
        collect(shopper).await;
        order_and_pay(shopper).await;
        shopper.go("/account").await;
        shopper.click("link", "O-…").await;
        shopper.sees("Thank you. Your order is paid.").await;
        shopper.click("button", "Order again").await;
        shopper.sees("Subtotal €52.00").await;
        shopper.sees("Length: Long, 100 cm").await;
        shopper.click("button", "Remove Pottering Apron").await;
        shopper.sees("It is empty.").await;
        shopper.go("/account").await;
        shopper.click("button", "Log out").await;
        shopper.until("the products are shown", "location.pathname === '/'").await;
    });
}

#[test]
fn the_starter_storefront_shows_an_order_to_whoever_has_its_link_and_a_login_to_others() {
    shop_there(async |shopper| {
        collect(shopper).await;
        shopper.fill("E-mail", "ada@example.com").await;
        order_and_pay(shopper).await;
        // Keys come in mails, of which there are none here: this one opens the order that the guest has just placed.
        let open = "const own = window.fetch;
            const order = location.pathname.split('/').pop();
            window.fetch = (input, init) => own(
                input.url.endsWith('/guest-orders/O-000042') && input.headers.get('X-Order-Key') === 'of-the-mail' ? `/api/v1/orders/${order}` : input,
                init,
            );
            const link = Object.assign(document.createElement('a'), { href: '/order/O-000042?key=of-the-mail', textContent: 'The mail' });
            document.querySelector('#page').replaceChildren(link);";
        shopper.value(open).await;
        shopper.click("link", "The mail").await;
        shopper.sees("Thank you. Your order is paid.").await;
        assert_eq!(shopper.path().await, "/order/O-000042?key=of-the-mail");
        shopper.go("/order/O-000042?key=of-nobody").await;
        shopper.sees("There is nothing here").await;
        shopper.go("/account").await;
        shopper.click("button", "Log out").await;
        shopper.until("the products are shown", "location.pathname === '/'").await;
        shopper.go("/orders/1").await;
        shopper.sees("Please log in").await;
        shopper.until("there is a form", "document.querySelector('#login-email') !== null").await;
    });
}

#[test]
fn a_customer_logs_in_at_the_checkout_of_the_starter_storefront_and_mistakes_stand_beside_their_fields() {
    shop_there(async |shopper| {
        collect(shopper).await;
        let password = shopper.visit.shop.password.clone();
        shopper.value("document.querySelector('details').open = true").await;
        // As in a page that was left open until its session was over.
        shopper.value("document.cookie = 'XSRF-TOKEN=of-another-session; Path=/'").await;
        for (tried, seen) in [("not this one", ""), (password.as_str(), "You are buying as")] {
            let email = shopper.visit.shop.email.clone();
            shopper.visit.enter("#login-email", &email).await;
            shopper.visit.enter("#password", tried).await;
            shopper.click("button", "Log in").await;
            if seen.is_empty() {
                let beside = "document.querySelector('#login-email[aria-invalid] ~ .problem') !== null";
                shopper.until("the field says what is wrong", beside).await;
            } else {
                shopper.sees(seen).await;
            }
        }
        choose(shopper, "Bank transfer").await;
        shopper.fill("Name", &"a".repeat(256)).await;
        shopper.click("button", "Order with obligation to pay €52.00").await;
        let beside = "document.querySelector('#name[aria-invalid] ~ .problem') !== null";
        shopper.until("the field says what is wrong", beside).await;
        shopper.fill("Name", "Ada Buyer").await;
        shopper.click("button", "Order with obligation to pay €52.00").await;
        shopper.sees("We are waiting for your payment.").await;
        assert!(shopper.path().await.starts_with("/orders/"), "{}", shopper.path().await);
        shopper.sees("This is a demo, so no money is wanted.").await;
        let order = shopper.path().await;
        shopper.go("/cart").await;
        shopper.go(&order).await;
        shopper.sees("This is a demo, so no money is wanted.").await;
    });
}

#[test]
fn a_guest_withdraws_from_an_order_in_two_steps_of_the_starter_storefront() {
    shop_there(async |shopper| {
        collect(shopper).await;
        shopper.fill("E-mail", "ada@example.com").await;
        order_and_pay(shopper).await;
        let order = shopper.path().await;
        shopper.click("link", "Withdraw from this order").await;
        shopper.fill("E-mail that you ordered with", "ada@example.com").await;
        shopper.click("button", "Withdraw from contract").await;
        shopper.sees("Do you want to withdraw from the order O-000001?").await;
        shopper.click("button", "Confirm withdrawal").await;
        shopper.sees("your withdrawal is declared").await;
        // The shop looks into it after its answer.
        let left = format!(
            "fetch('/api/v1{order}')
                .then((answer) => answer.json())
                .then(({{ data }}) => {{ window.left = data.withdrawal.possible; }}),
            window.left === false"
        );
        shopper.until("nothing is left to withdraw", &left).await;
        shopper.go(&order).await;
        shopper.sees("Withdrawn: 1 × Pottering Apron").await;
        assert!(!shopper.has("link", "Withdraw from this order").await);
    });
}
