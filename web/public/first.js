// Must be known before the first paint: the page's kind, and the reader's colour scheme, which
// src/shell/shell.tsx stores.
const root = document.documentElement;
root.dataset.page = location.pathname;
try {
  const scheme = localStorage.getItem("scheme");
  if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;
} catch {
  // A browser that keeps nothing for us has no choice to show.
}
