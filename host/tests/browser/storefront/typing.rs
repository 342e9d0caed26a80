//! What is typed wrongly, and what has changed meanwhile.

use super::shopper::{Script, shop_with};

#[test]
fn a_code_that_is_typed_wrongly_is_told_and_can_be_corrected() {
    shop_with(Script::On, &[], async |shopper| {
        shopper.go("/p/dawn-recordings").await;
        shopper.press("button", "Add to cart").await;
        shopper.press("link", "Checkout").await;
        shopper.introduce().await;
        shopper.fill("Discount code", "WELCOM").await;
        shopper.press("button", "Apply").await;
        shopper.until("the problem is told", "document.querySelector('aside .wrong') !== null").await;
        let typed = shopper.value("document.getElementById('discount_code').value").await;
        assert_eq!(typed, "WELCOM");
        assert_eq!(shopper.value("document.getElementById('email').value").await, "ada@example.com");
    });
}

#[test]
fn what_is_missing_is_told_beside_its_field_and_in_a_summary() {
    shop_with(Script::On, &[("/checkout", "422")], async |shopper| {
        shopper.go("/p/dawn-recordings").await;
        shopper.press("button", "Add to cart").await;
        shopper.press("link", "Checkout").await;
        shopper.fill("E-mail", "ada@example.com").await;
        shopper.fill("City", "Amsterdam").await;
        shopper.press("button", "Order with obligation to pay").await;
        shopper.until("a summary has the focus", "document.activeElement?.getAttribute('role') === 'alert'").await;
        shopper
            .until("it leads to the field", "document.querySelector('[role=alert] a[href=\"#billing.name\"]') !== null")
            .await;
        shopper.until("it is told there", "document.getElementById('billing.name-wrong') !== null").await;
        assert_eq!(shopper.value("document.getElementById('billing.city').value").await, "Amsterdam");
    });
}

#[test]
fn what_was_sold_out_meanwhile_is_told_and_nothing_is_ordered() {
    shop_with(Script::On, &[("/checkout", "422"), ("/order/O-000002", "404")], async |shopper| {
        // Two windows of one browser would share a cart, so somebody else takes all there is in another.
        shopper.go("/p/numbered-amphora").await;
        shopper.press("button", "Add to cart").await;
        shopper.press("link", "Checkout").await;
        shopper.introduce().await;
        let taken = shopper.visit.evaluate::<bool>(TAKE_ALL).await;
        assert!(taken, "somebody else has taken all");
        shopper
            .value("document.querySelectorAll('input[name=consents]').forEach((box) => { box.checked = true; })")
            .await;
        shopper.press("button", "Order with obligation to pay").await;
        shopper.until("it is told", "document.querySelector('[role=alert]') !== null").await;
        shopper.go("/order/O-000002").await;
    });
}

/// Buys all amphoras as another guest, through the API.
const TAKE_ALL: &str = "
    const ask = async (path, body, token) => {
        const headers = { 'content-type': 'application/json', accept: 'application/json' };
        if (token) headers.authorization = `Bearer ${token}`;
        const method = body ? 'POST' : 'GET';
        const answer = await fetch(`/api/v1${path}`, { method, headers, body: body && JSON.stringify(body), credentials: 'omit' });
        return answer.json();
    };
    const product = (await ask('/products/numbered-amphora')).data;
    const { token } = await ask('/auth/guest-tokens', { email: 'eve@example.com', name: 'Eve' });
    for (let quantity = 12; quantity > 0; quantity--) {
        const added = await ask('/cart', { product_id: product.id, quantity }, token);
        if (added.errors || added.code) continue;
        break;
    }
    const requirements = (await ask('/checkout/requirements?country=NL', null, token)).data;
    const address = { name: 'Eve', line1: 'Weg 1', city: 'Gent', postal_code: '9000', country: 'NL' };
    const order = await ask('/checkout', {
        billing: address, payment_method: requirements.payment_methods[0].id,
        shipping_method_id: requirements.shipping_methods[0]?.id, consents: requirements.consents.map((one) => one.id),
    }, token);
    return Boolean(order.data?.number);";
