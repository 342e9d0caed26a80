<?php
// A guest buys with the client that openapi-generator has made for PHP.
declare(strict_types=1);

use OpenAPI\Client\Api\{AuthApi, CartApi, CheckoutApi, OrdersApi};
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\{AddressRequest, AddToCart, CheckoutRequest, GuestRequest};

[, $base, $client] = $argv;
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class) use ($client): void {
    $file = $client . '/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) {
        require $file;
    }
});

function check(bool $holds, string $what): void
{
    if (!$holds) {
        fwrite(STDERR, "$what\n");
        exit(1);
    }
}

$http = new GuzzleHttp\Client();
$settings = (new Configuration())->setHost($base);
$guest = new GuestRequest(['email' => 'php@example.com', 'name' => 'PHP']);
$settings->setAccessToken((new AuthApi($http, $settings))->authGuestTokensStore($guest)->getToken());

$selections = ['color' => 'sage', 'length' => 'long'];
$wanted = new AddToCart(['product_id' => 4, 'quantity' => 2, 'selections' => $selections]);
$cart = (new CartApi($http, $settings))->cartStore($wanted)->getData();
check($cart->getSubtotalAmount() === 10400, (string) $cart);

$checkout = new CheckoutApi($http, $settings);
$method = $checkout->checkoutRequirements('NL')->getData()->getShippingMethods()[0]->getId();
$totals = $checkout->checkoutRequirements('NL', $method)->getData()->getTotals();
check($totals->getComplete(), (string) $totals);

$request = new CheckoutRequest([
    'billing' => new AddressRequest([
        'name' => 'Ada Buyer', 'line1' => 'Keizersgracht 1', 'city' => 'Amsterdam', 'postal_code' => '1015 AA', 'country' => 'NL',
    ]),
    'shipping_method_id' => $method,
    'expected_total_amount' => $totals->getTotalAmount(),
]);
[$first, $created] = $checkout->checkoutStoreWithHttpInfo($request, idempotency_key: 'php');
[$again, $repeated] = $checkout->checkoutStoreWithHttpInfo($request, idempotency_key: 'php');
check([$created, $repeated] === [201, 200], "$created and $repeated");
check($again->getData()->getId() === $first->getData()->getId(), 'another order');

$order = (new OrdersApi($http, $settings))->ordersShow($first->getData()->getId())->getData();
check($order->getTotalAmount() === $totals->getTotalAmount() && $order->getStatus() === 'pending', (string) $order);
$displays = array_map(fn ($option) => $option->getDisplay(), $order->getItems()[0]->getOptions());
check($displays === ['Sage', 'Long, 100 cm'], implode(', ', $displays));
echo 'bought ', $order->getNumber(), "\n";
