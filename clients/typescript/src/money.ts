// Amounts, which are whole numbers of the currency's smallest unit.
import type { Price, Product, Selections } from "./generated/index.js";

/** An amount for people: `formatAmount(9600, "EUR", "en")` is `€96.00`. */
export function formatAmount(amount: number, currency: string, language?: string): string {
  const format = new Intl.NumberFormat(language, { style: "currency", currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** What a product costs with these selections, for a page to show. What the cart says counts. */
export function selectedPrice(product: Product, selections: Selections, language?: string): Price {
  const adjustments = product.options.flatMap(({ key, choices }) => {
    const selected = [selections[key]].flat();
    return choices.filter(({ value }) => selected.includes(value)).map((choice) => choice.price_adjustment_amount);
  });
  const amount = adjustments.reduce((sum, adjustment) => sum + adjustment, product.price.amount);
  return { amount, currency: product.price.currency, formatted: formatAmount(amount, product.price.currency, language) };
}
