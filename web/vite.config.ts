import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig(({ command }) => {
  // React and Vite build for development wherever another NODE_ENV stands, as in a test run.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    root: import.meta.dirname,
    plugins: [react()],
    build: {
      outDir: "dist",
      emptyOutDir: true,
      // A strict content security policy knows neither data: addresses nor inline scripts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  };
});
