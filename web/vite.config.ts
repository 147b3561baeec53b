import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { drawCard } from "./card.ts";

/** The picture for shared links. */
const card: Plugin = {
  name: "card",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "card.png", source: drawCard() });
  },
};

export default defineConfig(({ command }) => {
  // React and Vite build for development wherever another NODE_ENV stands, as in a test run.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwind(), card],
    // Sites are built for mainnet; stages and the local runtime say otherwise (build.ts).
    define: {
      "import.meta.env.DEVNET": "false",
      "import.meta.env.EXPLORER": JSON.stringify("https://robinhoodchain.blockscout.com"),
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
      rollupOptions: { external: ["@reown/appkit/core"] },
    },
  };
});
