import { join } from "node:path";
import { build } from "vite";

/**
 * Builds the site into a directory, whose former content is removed. Throws what Vite threw.
 *
 * It keeps a processor busy for more than a second and sets NODE_ENV: a service that goes on meanwhile calls it in a
 * worker, which has an environment of its own.
 */
export async function buildSite(directory: string): Promise<void> {
  await build({
    configFile: join(import.meta.dirname, "vite.config.ts"),
    build: { outDir: directory, emptyOutDir: true },
    logLevel: "warn",
  });
}
