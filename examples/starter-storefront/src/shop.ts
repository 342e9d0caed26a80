// The one shop of these pages.
import { browserStore, formatAmount, Shop } from "@stoa-shop/client";

export const language = document.documentElement.lang;

export const shop = new Shop({ login: "session", store: browserStore(), language });

export function money(amount: number, currency: string): string {
  return formatAmount(amount, currency, language);
}

/** Shows in the header how much is in the cart. */
export function showCount(count: number): void {
  document.querySelector("#count")!.textContent = count > 0 ? `(${count})` : "";
}
