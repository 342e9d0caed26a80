"""A guest buys with the client that openapi-python-client has made."""

import sys

from stoa_api_client import AuthenticatedClient, Client
from stoa_api_client.api.auth import auth_guest_tokens_store
from stoa_api_client.api.cart import cart_store
from stoa_api_client.api.checkout import checkout_requirements, checkout_store
from stoa_api_client.api.orders import orders_show
from stoa_api_client.models import AddressRequest, AddToCart, CheckoutRequest, GuestRequest, Selections

base = sys.argv[1]
guest = GuestRequest(email="python@example.com", name="Python")
token = auth_guest_tokens_store.sync(client=Client(base_url=base), body=guest).token
client = AuthenticatedClient(base_url=base, token=token)

selections = Selections.from_dict({"color": "sage", "length": "long"})
cart = cart_store.sync(client=client, body=AddToCart(product_id=4, quantity=2, selections=selections)).data
assert cart.subtotal_amount == 10400, cart

needed = checkout_requirements.sync(client=client, country="NL").data
method = needed.shipping_methods[0].id
totals = checkout_requirements.sync(client=client, country="NL", shipping_method_id=method).data.totals
assert totals.complete, totals

address = AddressRequest(name="Ada Buyer", line1="Keizersgracht 1", city="Amsterdam", postal_code="1015 AA", country="NL")
request = CheckoutRequest(billing=address, shipping_method_id=method, expected_total_amount=totals.total_amount)
first = checkout_store.sync_detailed(client=client, body=request, idempotency_key="python")
again = checkout_store.sync_detailed(client=client, body=request, idempotency_key="python")
assert (first.status_code, again.status_code) == (201, 200), (first, again)
assert again.parsed.data.id == first.parsed.data.id

order = orders_show.sync(client=client, order=first.parsed.data.id).data
assert order.total_amount == totals.total_amount and order.status == "pending", order
assert [option.display for option in order.items[0].options] == ["Sage", "Long, 100 cm"], order.items
print("bought", order.number)
