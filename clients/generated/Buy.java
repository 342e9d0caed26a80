import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AuthApi;
import org.openapitools.client.api.CartApi;
import org.openapitools.client.api.CheckoutApi;
import org.openapitools.client.api.OrdersApi;
import org.openapitools.client.model.AddToCart;
import org.openapitools.client.model.AddressRequest;
import org.openapitools.client.model.CheckoutRequest;
import org.openapitools.client.model.GuestRequest;
import org.openapitools.client.model.OrderStatus;

/** A guest buys with the client that openapi-generator has made for Java. */
final class Buy {
    private static void check(boolean holds, Object what) {
        if (!holds) throw new IllegalStateException(String.valueOf(what));
    }

    public static void main(String[] arguments) throws Exception {
        var shop = new ApiClient();
        shop.updateBaseUri(arguments[0]);
        var guest = new GuestRequest().email("java@example.com").name("Java");
        var token = new AuthApi(shop).authGuestTokensStore(guest, null).getToken();
        shop.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));

        Map<String, Object> selections = Map.of("color", "sage", "length", "long");
        var wanted = new AddToCart().productId(4L).quantity(2L).selections(selections);
        var cart = new CartApi(shop).cartStore(wanted, null, null).getData();
        check(cart.getSubtotalAmount() == 10400, cart);

        var checkout = new CheckoutApi(shop);
        var needed = checkout.checkoutRequirements("NL", null, null, null, null, null, null).getData();
        var method = needed.getShippingMethods().get(0).getId();
        var totals = checkout.checkoutRequirements("NL", method, null, null, null, null, null).getData().getTotals();
        check(totals.getComplete(), totals);

        var address = new AddressRequest().name("Ada Buyer").line1("Keizersgracht 1").city("Amsterdam").postalCode("1015 AA").country("NL");
        var request = new CheckoutRequest().billing(address).shippingMethodId(method).expectedTotalAmount(totals.getTotalAmount());
        var first = checkout.checkoutStoreWithHttpInfo(request, null, null, "java", null);
        var again = checkout.checkoutStoreWithHttpInfo(request, null, null, "java", null);
        check(first.getStatusCode() == 201 && again.getStatusCode() == 200, first.getStatusCode() + " and " + again.getStatusCode());
        check(again.getData().getData().getId().equals(first.getData().getData().getId()), "another order");

        var order = new OrdersApi(shop).ordersShow(first.getData().getData().getId()).getData();
        check(order.getTotalAmount().equals(totals.getTotalAmount()) && order.getStatus() == OrderStatus.PENDING, order);
        var displays = order.getItems().get(0).getOptions().stream().map(option -> option.getDisplay()).toList();
        check(displays.equals(List.of("Sage", "Long, 100 cm")), displays);
        System.out.println("bought " + order.getNumber());
    }
}
