// What a cart or an order costs, row by row, so that the rows add up.
import type { CheckoutTotals, Order } from "@stoa-shop/client";
import { type Row, rows } from "./dom.js";
import { money } from "./shop.js";
import { t } from "./texts.js";

/** What the totals of a checkout and an order have in common. */
type Sums = Pick<Order, Extract<keyof CheckoutTotals, keyof Order>>;

/** `isSent` says whether there is shipping, `isKnown` whether it, the tax and the total are known by now. */
export function sums(amounts: Sums, { isSent, isKnown }: { isSent: boolean; isKnown: boolean }): HTMLElement {
  const { subtotal_amount, discount_amount, shipping_amount, total_amount, currency, discount_code } = amounts;
  const isTaxAdded = total_amount !== subtotal_amount - discount_amount + shipping_amount;
  const taxes = amounts.taxes.filter(({ tax_amount }) => tax_amount > 0);
  const taxRows = taxes.map(({ label, tax_amount }): Row => [isTaxAdded ? t.taxOf(label) : t.includedTax(label), money(tax_amount, currency)]);
  const list: Row[] = [[t.goods, money(subtotal_amount, currency)]];
  if (discount_amount > 0) list.push([t.discount(discount_code), money(-discount_amount, currency)]);
  if (isKnown) {
    if (isSent) list.push([t.shipping, shipping_amount > 0 ? money(shipping_amount, currency) : t.free]);
    const total: Row = [t.total, money(total_amount, currency), "total"];
    list.push(...(isTaxAdded ? [...taxRows, total] : [total, ...taxRows]));
    if (amounts.reverse_charge) list.push([t.tax, t.owedByBuyer]);
  }
  return rows(list);
}
