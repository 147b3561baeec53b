import type { Plugin } from "vite";
import { common } from "./src/strings/common.ts";
import { list } from "./src/strings/reader.ts";

/** Where `index.html` has it. */
const place = "<!-- first -->";

/**
 * What is seen before the scripts are there: the masthead, whose links work already, and of the first page its heading. On
 * 400 kbit/s that is one second instead of four. `style/first.css` hides it once the app, or what the service drew of a
 * press, stands in the root.
 */
export function firstPaint(): Plugin {
  return {
    name: "first-paint",
    transformIndexHtml: (html) => html.replace(place, () => markup()),
  };
}

const links = [
  ["/", common.presses],
  ["/publish", common.publish],
  ["/history", common.history],
  ["/developers", common.developers],
] as const;

/** As `shell/shell.tsx` draws its masthead and `ui/page.tsx` a page's heading, so that nothing moves when they come. */
function markup(): string {
  const bars = ["h-11 rounded-full!", "h-52", "h-52", "h-52"];
  return `<div id="first">
      <header class="masthead">
        <div class="masthead-row frame">
          <a href="/" class="wordmark"><img src="/favicon.svg" alt="" width="30" height="30"><span class="wordmark-name">${common.siteName}</span></a>
          <nav aria-label="${common.nav}" class="masthead-links">
            ${links.map(([path, name]) => `<a href="${path}" class="masthead-link">${name}</a>`).join("\n            ")}
          </nav>
        </div>
      </header>
      <main class="first-page frame grid grid-cols-[minmax(0,1fr)] gap-8 py-8 sm:py-12">
        <div class="first-heading max-w-2xl gap-3">
          <h1 class="text-display">${list.title}</h1>
          <p class="text-lg text-quiet">${list.lead}</p>
        </div>
        <div class="grid gap-5" aria-hidden="true">
          ${bars.map((size) => `<span class="block animate-pulse rounded-2xl bg-sunk ${size}"></span>`).join("\n          ")}
        </div>
      </main>
    </div>`;
}
