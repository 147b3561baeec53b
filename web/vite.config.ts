import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { drawCard } from "./card.ts";
import { firstPaint } from "./first.ts";
import { siteFonts } from "./fonts.ts";
import { leanSchemas, leanZod } from "./schemas.ts";

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
      "import.meta.env.EXPLORER": JSON.stringify("https://robinhoodchain.blockscout.com"),
      "import.meta.env.CONTACT": JSON.stringify(""),
      "import.meta.env.OPERATOR": JSON.stringify(""),
      "import.meta.env.WALLETCONNECT_PROJECT_ID": JSON.stringify(""),
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
