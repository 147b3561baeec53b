import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { FunctionProps } from "sst/constructs";
import { useFunctions as madeFunctions } from "sst/constructs/Function.js";
import { useRuntimeHandlers as runtimeHandlers } from "sst/runtime/handlers.js";

/**
 * Bundles the handlers of the stage that was synthesized last, with SST's own bundler and the settings that its
 * functions were made with: `functions/http/session.ts` becomes `functions/http/session.mjs` below the folder. All in one run,
 * which reads every library once instead of once a handler; nothing is shared between the files that it writes.
 * Throws an Error with esbuild's words when one cannot be bundled.
 */
export async function bundleAll(folder: string): Promise<void> {
  const all = Object.values(madeFunctions().all);
  const [first] = all;
  if (first === undefined) throw new TypeError("No stage was synthesized");
  const settings = new Set(all.map(({ nodejs, runtime }) => JSON.stringify({ nodejs, runtime })));
  if (settings.size > 1) throw new TypeError("Functions differ in how they are bundled");
  const props = {
    ...first,
    nodejs: {
      ...first.nodejs,
      esbuild: {
        ...first.nodejs?.esbuild,
        entryPoints: [...new Set(all.map(({ handler }) => `${handler?.replace(/\.\w+$/, "")}.ts`))],
        // Instead of SST's one file: esbuild takes an empty name for none.
        outfile: "",
        outdir: folder,
        outbase: ".",
        outExtension: { ".js": ".mjs" },
      },
    },
  };
  await build(props, folder);
  for (const { from, to = from } of all.flatMap(({ copyFiles = [] }) => copyFiles))
    cpSync(from, join(folder, to));
}

/** Bundles one handler as a deployment does: alone. `file` is the handler's, such as `functions/http/session.ts`. */
export async function bundleAlone(file: string, folder: string): Promise<void> {
  const path = file.replace(/\.ts$/, ".");
  const props = Object.values(madeFunctions().all).find((made) => made.handler?.startsWith(path));
  if (props === undefined) throw new TypeError(`No function of the stage has a handler in ${file}`);
  await build(props, folder);
}

async function build(props: FunctionProps, folder: string): Promise<void> {
  const restore = withoutNpm(folder);
  const runtime = runtimeHandlers().for(props.runtime ?? "nodejs24.x");
  const built = await runtime
    .build({ functionID: "bundled", mode: "deploy", out: folder, props })
    .finally(restore);
  if (built.type === "error") throw new Error(built.errors.join("\n"));
}

/** SST installs what a bundle leaves out, which is nothing here, with npm, which would ask the network all the same. */
function withoutNpm(folder: string): () => void {
  const before = process.env.PATH;
  const stand = join(folder, "bin");
  mkdirSync(stand, { recursive: true });
  writeFileSync(join(stand, "npm"), "#!/bin/sh\nexit 0\n");
  chmodSync(join(stand, "npm"), 0o755);
  process.env.PATH = `${stand}${delimiter}${before}`;
  return () => {
    process.env.PATH = before;
  };
}
