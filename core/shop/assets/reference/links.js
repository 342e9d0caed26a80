// Addresses of operations (`#/tag/operation`): opening and revealing what they name. Swagger UI's own reading of them logs an error for every name with an underscore.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
// An operation appears a few frames after it was asked for; one that never does is unknown.
const FRAMES_TO_WAIT = 60;

/** The address of an operation within the page. */
export function address(tag, id) {
  return `#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}`;
}

/** Opens an operation, or a group when there is no id, and moves there. */
export function open(system, tag, id) {
  const { layoutActions, layoutSelectors } = system;
  const show = (key) => layoutSelectors.isShown(key, false) || layoutActions.show(key, true);
  show(["operations-tag", tag]);
  if (!id) return reveal(`operations-tag-${tag}`, ".opblock-tag a");
  show(["operations", tag, id]);
  layoutActions.scrollToVirtualizedOperation(["operations", tag, id]);
  return reveal(`operations-${tag}-${id}`, ".opblock-summary-control");
}

/** Opens what the page's address names, if it names anything. */
export function openHash(system, hash) {
  const [, tag, id] = hash.split("/");
  if (tag) open(system, tag, id);
}

function reveal(id, focused, frames = FRAMES_TO_WAIT) {
  const element = document.getElementById(CSS.escape(id.replaceAll(/\s/g, "_")));
  if (!element) {
    if (frames > 0) requestAnimationFrame(() => reveal(id, focused, frames - 1));
    return;
  }
  element.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth", block: "start" });
  element.querySelector(focused)?.focus({ preventScroll: true });
}

/** The plugin for Swagger UI. */
export function linksPlugin() {
  return {
    statePlugins: { layout: { wrapActions: { parseDeepLinkHash: (_, system) => (hash) => openHash(system, hash ?? "") } } },
  };
}
