// What is bought, told in lines: prices beside the price, whether it can be had, and what modules of the shop say about it.
import type { Availability, Product, ProductDetails, SubscriptionDetails } from "@stoa-shop/client";
import { h } from "./dom.js";
import { dayAndTime, money } from "./shop.js";
import { language, t } from "./texts.js";

type Priced = Pick<Product, "price" | "compare_at_amount" | "lowest_recent_amount" | "unit_price">;

/** The price before a reduction with the lowest of the 30 days before it, as the law of the European Union wants it, and that of a unit. */
export function besidePrice({ price, compare_at_amount, lowest_recent_amount, unit_price }: Priced): HTMLElement[] {
  const lines: HTMLElement[] = [];
  if (compare_at_amount !== null) lines.push(h("span", { class: "muted" }, `${t.before} `, h("s", {}, money(compare_at_amount, price.currency))));
  if (lowest_recent_amount !== null) lines.push(h("span", { class: "muted" }, t.lowestPrice(money(lowest_recent_amount, price.currency))));
  if (unit_price) lines.push(h("span", { class: "muted" }, t.per(money(unit_price.amount, price.currency), unit_price.reference)));
  return lines;
}

const AVAILABILITY: Record<Availability, string> = {
  in_stock: t.inStock,
  low_stock: t.lowStock,
  backorder: t.backordered,
  out_of_stock: t.soldOut,
};

export function availabilityOf(availability: Availability | null): HTMLElement | undefined {
  return availability ? h("p", { class: `availability ${availability}` }, AVAILABILITY[availability]) : undefined;
}

/** Lines for each module that has something to say. `extra` is what selections add to the price. */
export function detailLines(details: ProductDetails, currency: string, extra = 0): string[] {
  const { event_tickets: event, subscriptions, downloads, digital_secrets, services } = details;
  return [
    ...(event ? [dayAndTime(event.starts_at_local), `${event.venue} · ${event.ticket_type}`] : []),
    ...(event && event.places_left < 20 ? [event.places_left > 0 ? t.placesLeft(event.places_left) : t.noPlaces] : []),
    ...(subscriptions ? [renewal(subscriptions, money(subscriptions.renewal_amount + extra, currency))] : []),
    ...(downloads?.files.map(({ label, size }) => t.download(label, bytes(size))) ?? []),
    ...(digital_secrets ? [digital_secrets.delivery === "instant" ? t.deliveredAtOnce : t.deliveredLater] : []),
    ...(services ? [t.plan(services.plan)] : []),
  ];
}

/** The same as a list. */
export function detailList(details: ProductDetails, currency: string, extra = 0): HTMLElement {
  return h("ul", { class: "details" }, ...detailLines(details, currency, extra).map((line) => h("li", {}, line)));
}

/** How often a subscription renews, and what each time costs. */
function renewal({ interval, interval_count, trial_days }: SubscriptionDetails, price: string): string {
  const every = t.every(interval_count, interval);
  return trial_days > 0 ? t.trial(trial_days, price, every) : t.renews(every, price);
}

function bytes(size: number): string {
  const unit = size < 1e6 ? { unit: "kilobyte", by: 1e3 } : { unit: "megabyte", by: 1e6 };
  return new Intl.NumberFormat(language, { style: "unit", unit: unit.unit, maximumFractionDigits: 1 }).format(size / unit.by);
}
