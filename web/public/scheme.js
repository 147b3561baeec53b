// The reader's own choice of scheme, before anything is drawn; src/shell/scheme.ts writes it.
try {
  const scheme = localStorage.getItem("scheme");
  if (scheme === "light" || scheme === "dark") document.documentElement.dataset.scheme = scheme;
} catch {
  // A browser that keeps nothing for us has no choice to show.
}
