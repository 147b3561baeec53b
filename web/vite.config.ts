import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, Visitor } from "vite";
import { makeSiteFonts } from "./fonts.ts";
import { masthead, mastheadPages } from "./src/shell/masthead.ts";
import { common } from "./src/strings/common.ts";
import { list } from "./src/strings/reader.ts";

const card: Plugin = {
  name: "card",
  async generateBundle() {
    const { drawSiteCard } = await import("../core/page/card.ts");
    this.emitFile({ type: "asset", fileName: "card.png", source: drawSiteCard() });
  },
};

/**
 * Gives the editor its own copies of the modules that read and write Markdown. A bundler puts each module into only one output file. If the
 * pages and the editor shared these modules, every page would load parts that only the editor uses.
 */
const writers: Plugin = {
  name: "writers",
  enforce: "pre",
  async resolveId(source, importer) {
    const isCopied = importer?.endsWith("?write") === true && source.startsWith("./");
    const isFirst = importer?.endsWith("/article/write.ts") === true && source.startsWith("mdast-util-gfm-");
    if (!isCopied && !isFirst) return;
    const found = await this.resolve(source, importer, { skipSelf: true });
    return found === null ? undefined : `${found.id}?write`;
  },
};

/**
 * Puts the code that every page needs into two files. Two files compress better than fifty files, and the file with the libraries stays
 * cached when the site changes.
 */
const groups = [
  {
    name: "library",
    test: /\/node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|zod|@tanstack)\//,
  },
  {
    name: "frame",
    test: /\/(?:core\/(?:press\/(?:schema|text)|audit\/schema)|web\/src\/(?:shell\/(?!account-menu)|ui\/(?:button|icon|page|part|status)|api\/(?!publish|discovery)|strings\/(?:common|reader)|session\/sign-in\.|store|wallet\/state|(?:format|site|router)\.ts))/,
  },
  // The code that checks drafts is in a separate file, because the pages that show a press's text need this code, too.
  { name: "input", test: /\/core\/press\/(?:input|markdown)\.ts/ },
  {
    name: "prose",
    test: /^(?!.*\?write$).*\/(?:web\/src\/ui\/markdown\.|node_modules\/(?:micromark|mdast-util-from-markdown|mdast-util-gfm|react-markdown|hast|rehype|remark|unified|vfile|unist))/,
  },
];

export default defineConfig(({ command }) => {
  // If NODE_ENV had a value other than `production`, as in a test run, React and Vite would build for development.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: import.meta.dirname,
    plugins: [
      writers,
      makeSiteFonts(),
      shrinkSchemas(),
      shrinkZod(),
      react(),
      tailwind(),
      card,
      addFirstPaint(),
    ],
    build: {
      outDir: "dist",
      emptyOutDir: true,
      reportCompressedSize: false,
      // A strict content security policy allows neither `data:` addresses nor inline scripts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // WalletConnect's own dialog is not installed, because the site shows the link in a dialog of its own.
      rollupOptions: {
        external: ["@reown/appkit/core"],
        output: { codeSplitting: { groups } },
      },
    },
  };
});

/** The comment in `index.html` that the build replaces with the content for the first paint. */
const place = "<!-- first -->";

/**
 * Puts the masthead (with its links) and the first page's heading into the document, so that a browser shows both before the scripts load.
 * With the masthead and the heading in the document, the first paint takes one second instead of four seconds on a connection of 400
 * kbit/s. `style/first.css` hides this content once the document contains the app or the press that the service has rendered.
 */
function addFirstPaint(): Plugin {
  return {
    name: "first-paint",
    transformIndexHtml: (html) => html.replace(place, () => renderFirstPaint()),
  };
}

/**
 * Makes the same markup as the masthead in `shell/shell.tsx` and the heading in `ui/page.tsx`, so that nothing moves when the app loads.
 */
function renderFirstPaint(): string {
  const bars = ["h-11 rounded-full!", "h-52", "h-52", "h-52"];
  return `<div id="first">
      <header class="${masthead.bar}">
        <div class="${masthead.row}">
          <a href="/" class="${masthead.mark}" aria-label="${common.siteName}"><img src="/favicon.svg" alt="" width="30" height="30"><span class="${masthead.name}">${common.siteName}</span></a>
          <nav aria-label="${common.nav}" class="${masthead.links}">
            ${mastheadPages.map(({ to, name }) => `<a href="${to}" class="${masthead.link}">${name}</a>`).join("\n            ")}
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

/** The modules that only declare schemas. */
const declaring = /\/(?:core\/\w+\/schema|core\/chain\/hex|web\/src\/api\/\w+)\.ts$/;

/**
 * Reduces the size of the schemas that the site shares with the server. The descriptions in the schemas are removed, because only the
 * server's OpenAPI document needs them. Schemas are marked as free of side effects, so that the bundler drops unused schemas.
 */
export function shrinkSchemas(): Plugin {
  return {
    name: "lean-schemas",
    apply: "build",
    transform: {
      filter: { id: declaring },
      handler(code) {
        const edits: Edit[] = [];
        const program = this.parse(code);
        new Visitor({
          CallExpression({ callee, end }) {
            if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
            const { name } = callee.property;
            if (name === "describe" || name === "meta") edits.push({ at: callee.object.end, end, text: "" });
          },
        }).visit(program);
        for (const statement of program.body) {
          const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
          if (declared?.type !== "VariableDeclaration") continue;
          for (const { init } of declared.declarations) {
            if (init?.type !== "CallExpression") continue;
            edits.push({ at: init.start, end: init.start, text: "/* @__PURE__ */ (() => " });
            edits.push({ at: init.end, end: init.end, text: ")()" });
          }
        }
        return { code: applyEdits(code, edits), map: null };
      },
    },
  };
}

/** A range of a source text, with the text that replaces it. */
type Edit = { readonly at: number; readonly end: number; readonly text: string };

function applyEdits(code: string, edits: readonly Edit[]): string {
  let done = 0;
  const parts = edits
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, end, text }) => {
      const before = code.slice(done, at);
      done = end;
      return before + text;
    });
  return parts.join("") + code.slice(done);
}

/** Parts of zod that the site never uses, with their replacements. */
const unused: readonly (readonly [what: RegExp, instead: string])[] = [
  // Removes zod's code that converts schemas to JSON Schema.
  [/^\s*inst\._zod\.processJSONSchema = .*;$/gm, ""],
  [
    /^import \{ (createStandardJSONSchemaMethod), (createToJSONSchemaMethod) \} from .*;$/gm,
    "const $1 = undefined, $2 = undefined;",
  ],
  // Removes the string methods that zod has deprecated, such as `z.string().email()`, which is now written `z.email()`.
  [/^ {4}\w+\(params\) \{\s*return this\.check\(core\._\w+\(Zod\w+, params\)\);\s*\},$/gm, ""],
  // Removes zod's English messages, because the editor shows only the messages of the schemas.
  [/^import en from .*;$/gm, "const en = () => ({});"],
  // Removes the check for values that contain themselves, because JSON cannot contain such values.
  [/core\.config\(\{ memoizer: core\.memoizer\(\) \}\);/g, ";"],
  // Removes the part of zod that compiles schemas to code, because the content security policy forbids such code (src/strict.ts).
  [/core\.\$ZodObjectJIT\.init/g, "core.$ZodObject.init"],
];

/**
 * Removes the unused parts of zod, which makes every first load 8 kB smaller. The build fails if a later version of zod has these parts in
 * another form.
 */
export function shrinkZod(): Plugin {
  return {
    name: "lean-zod",
    apply: "build",
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        const lean = unused.reduce((rest, [what, instead]) => {
          const next = rest.replace(what, instead);
          if (next === rest) throw new Error(`zod has this in another form now: ${what}`);
          return next;
        }, code);
        return { code: lean, map: null };
      },
    },
  };
}
