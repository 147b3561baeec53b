// What has to be known before anything is drawn: which page this is, and the reader's own choice of scheme, which
// src/shell/shell.tsx writes.
const root = document.documentElement;
root.dataset.page = location.pathname;
try {
  const scheme = localStorage.getItem("scheme");
  if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;
} catch {
  // A browser that keeps nothing for us has no choice to show.
}
