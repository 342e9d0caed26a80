// Pictures in the width that a screen needs.
import { h } from "./dom.js";

const WIDTHS = [160, 320, 640, 960, 1280, 1920];

/** A picture, or a place that stays empty. `sizes` says how wide it is shown, as in HTML; `alt` is empty where the name stands beside it. */
export function picture(source: string | null | undefined, sizes: string, alt = ""): HTMLElement {
  if (!source) return h("span", { class: "no-picture" });
  const { origin, pathname, search } = new URL(source, location.href);
  // The shop makes copies of its own pictures only, and drawings need none.
  const hasCopies = origin === location.origin && pathname.startsWith("/media/") && search === "" && !pathname.endsWith(".svg");
  const copies = hasCopies ? { srcset: WIDTHS.map((width) => `${source}?w=${width} ${width}w`).join(", "), sizes } : {};
  return h("img", { ...copies, src: hasCopies ? `${source}?w=640` : source, alt, loading: "lazy", width: 640, height: 640 });
}
