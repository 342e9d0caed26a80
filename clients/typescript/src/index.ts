// A typed client for the storefront API of a Stoa shop.
export * from "./generated/types.gen.js";
export type { Browsing } from "./catalog.js";
export { type CheckoutChoices, consentTo, type OrderToPlace } from "./checkout.js";
export { ShopError, type ShopErrorCode, type ShopErrorDetails } from "./errors.js";
export { formatAmount, selectedPrice } from "./money.js";
export { isSettled, type OrderReference, type Payment } from "./orders.js";
export { type Bought, type BoughtWith } from "./purchases.js";
export { Shop, type ShopSettings } from "./shop.js";
export { browserStore, memoryStore, type Store, type StoredName } from "./store.js";
export { type Declaration } from "./withdrawals.js";
