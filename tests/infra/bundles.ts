import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { FunctionProps } from "sst/constructs";
import { useFunctions as madeFunctions } from "sst/constructs/Function.js";
import { useRuntimeHandlers as runtimeHandlers } from "sst/runtime/handlers.js";

/**
 * Bundles the handlers of the last synthesized stage into the given folder, with SST's bundler and the settings of the stage's functions.
 * The handler `functions/http/session.ts` becomes `functions/http/session.mjs` in this folder. One run makes all bundles, so that each
 * library is read once; the written files share no code. Throws an Error with esbuild's message if a handler cannot be bundled.
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
        // SST names one output file for all bundles. The test replaces this name by an empty name, which esbuild ignores.
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

/** Bundles one handler alone, as a deployment does. `file` is the path of the handler's file, such as `functions/http/session.ts`. */
export async function bundleHandler(file: string, folder: string): Promise<void> {
  const path = file.replace(/\.ts$/, ".");
  const props = Object.values(madeFunctions().all).find((made) => made.handler?.startsWith(path));
  if (props === undefined) throw new TypeError(`No function of the stage has a handler in ${file}`);
  await build(props, folder);
}

async function build(props: FunctionProps, folder: string): Promise<void> {
  const restore = replaceNpm(folder);
  const runtime = runtimeHandlers().for(props.runtime ?? "nodejs24.x");
  const built = await runtime
    .build({ functionID: "bundled", mode: "deploy", out: folder, props })
    .finally(restore);
  if (built.type === "error") throw new Error(built.errors.join("\n"));
}

/**
 * SST runs npm to install packages that a bundle leaves out. In these tests no bundle leaves out a package, but SST would still run npm,
 * and npm would use the network.
 */
function replaceNpm(folder: string): () => void {
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
