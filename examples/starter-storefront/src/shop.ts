// The one shop of these pages, and how its amounts, days and countries are written.
import { browserStore, formatAmount, Shop } from "@stoa-shop/client";
import { language } from "./texts.js";

export const shop = new Shop({ login: "session", store: browserStore(), language });

/** An amount in the language of these pages; what the shop has formatted is in its own. */
export function money(amount: number, currency: string): string {
  return formatAmount(amount, currency, language);
}

export function day(moment: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(new Date(moment));
}

/** A day and a time by the clock of the place where something happens, such as `2027-06-18T20:30:00`. */
export function dayAndTime(local: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short" }).format(new Date(local));
}

export function countryName(code: string): string {
  return new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code;
}
