// Chooses light or dark before the first paint, so it is a classic script in the head. `dark-mode` is the class that Swagger UI looks for.
(() => {
  const KEY = "stoa.reference.theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  // Storage may be forbidden by the browser; the choice then lasts as long as the page.
  let chosen = null;
  try {
    chosen = localStorage.getItem(KEY);
  } catch {}

  const apply = () => {
    const dark = chosen === null ? system.matches : chosen === "dark";
    document.documentElement.classList.toggle("dark-mode", dark);
    document.getElementById("theme")?.setAttribute("aria-pressed", String(dark));
  };
  apply();
  system.addEventListener("change", apply);

  document.addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("theme").addEventListener("click", () => {
      chosen = document.documentElement.classList.contains("dark-mode") ? "light" : "dark";
      try {
        localStorage.setItem(KEY, chosen);
      } catch {}
      apply();
    });
  });
})();
