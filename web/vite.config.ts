import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, Visitor } from "vite";
import { mainnet } from "../core/chain/deployment.ts";
import { drawCard } from "./card.ts";
import { siteFonts } from "./fonts.ts";
import { common } from "./src/strings/common.ts";
import { list } from "./src/strings/reader.ts";

/** The picture for shared links. */
const card: Plugin = {
  name: "card",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "card.png", source: drawCard() });
  },
};

/**
 * What every page needs, in two files: they compress better than in fifty pieces, and the first one stays when the site
 * changes.
 */
const groups = [
  {
    name: "library",
    test: /\/node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|zod|@tanstack)\//,
  },
  {
    name: "frame",
    test: /\/(?:core\/(?:press|audit)\/(?:schema|text)|web\/src\/(?:shell\/(?!account-menu)|ui\/(?:button|icon|page|status|text)|api\/(?!publish)|strings\/(?:common|reader|account)|session\/sign-in\.|store|wallet\/state|(?:format|site|router)\.ts))/,
  },
];

export default defineConfig(({ command }) => {
  // React and Vite build for development wherever another NODE_ENV stands, as in a test run.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: import.meta.dirname,
    plugins: [siteFonts(), leanSchemas(), leanZod(), react(), tailwind(), card, firstPaint()],
    // Sites are built for mainnet; stages and the local runtime say otherwise (build.ts).
    define: {
      "import.meta.env.DEVNET": "false",
      "import.meta.env.EXPLORER": JSON.stringify(mainnet.explorer),
      "import.meta.env.PUBLIC_NODE": JSON.stringify(mainnet.publicNode),
      "import.meta.env.CONTACT": JSON.stringify(""),
      "import.meta.env.OPERATOR": JSON.stringify(""),
      "import.meta.env.WALLETCONNECT_PROJECT_ID": JSON.stringify(""),
      "import.meta.env.PURSE_ADVICE_USDG": "50",
    },
    build: {
      outDir: "dist",
      emptyOutDir: true,
      reportCompressedSize: false,
      // A strict content security policy knows neither data: addresses nor inline scripts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // WalletConnect's own dialog, which is not installed: the site shows the link in one of ours.
      rollupOptions: {
        external: ["@reown/appkit/core"],
        output: { codeSplitting: { groups } },
      },
    },
  };
});

/** Where `index.html` has it. */
const place = "<!-- first -->";

/**
 * What is seen before the scripts are there: the masthead, whose links work already, and of the first page its heading. On
 * 400 kbit/s that is one second instead of four. `style/first.css` hides it once the app, or what the service drew of a
 * press, stands in the root.
 */
function firstPaint(): Plugin {
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

/** Modules that declare forms of data, and do nothing else. */
const declaring = /\/(?:core\/\w+\/schema|core\/chain\/hex|web\/src\/api\/\w+)\.ts$/;

/**
 * Makes the forms that the site shares with the server no larger than the site needs them: without descriptions, which are
 * for the server's OpenAPI document, and marked as free of effects, so that forms which no page reads are left out.
 */
export function leanSchemas(): Plugin {
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
        return { code: edited(code, edits), map: null };
      },
    },
  };
}

/** A stretch of a text, and what stands there instead. */
type Edit = { readonly at: number; readonly end: number; readonly text: string };

function edited(code: string, edits: readonly Edit[]): string {
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

/** What of zod's forms the site never asks for, and what stands there instead. */
const unused: readonly (readonly [what: RegExp, instead: string])[] = [
  // How each form is written as a JSON Schema.
  [/^\s*inst\._zod\.processJSONSchema = .*;$/gm, ""],
  [
    /^import \{ (createStandardJSONSchemaMethod), (createToJSONSchemaMethod) \} from .*;$/gm,
    "const $1 = undefined, $2 = undefined;",
  ],
  // Formats as methods of strings, which zod has deprecated: `z.string().email()` is `z.email()` today.
  [/^ {4}\w+\(params\) \{\s*return this\.check\(core\._\w+\(Zod\w+, params\)\);\s*\},$/gm, ""],
  // What follows values that hold themselves: JSON has none.
  [/core\.config\(\{ memoizer: core\.memoizer\(\) \}\);/g, ";"],
  // How checks are compiled, which the content security policy forbids (src/strict.ts).
  [/core\.\$ZodObjectJIT\.init/g, "core.$ZodObject.init"],
];

/** Leaves out what the site never asks of zod: 7 kB of every first load. Fails where a later zod has it in another form. */
export function leanZod(): Plugin {
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
