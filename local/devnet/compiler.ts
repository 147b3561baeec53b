/**
 * The compiler runs in a worker because a compilation takes two seconds and 300 MB of memory; the memory is freed when the worker ends. The
 * worker posts `Artifacts` as its result.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import solc from "solc";
import * as z from "zod";
import { type Artifacts, compilerSettings, readSources } from "./compile.ts";

/** The byte positions of each immutable variable. */
const References = z
  .record(z.string(), z.array(z.object({ start: z.int(), length: z.int() })))
  .default({})
  .transform((places) => Object.values(places).flat());

const Output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          evm: z.object({
            bytecode: z.object({ object: z.string() }),
            deployedBytecode: z.object({ object: z.string(), immutableReferences: References }),
            methodIdentifiers: z.record(z.string(), z.string()),
          }),
        }),
      ),
    )
    .default({}),
});

const require = createRequire(import.meta.url);

function compile(): Artifacts {
  const sources = readSources();
  const input = { language: "Solidity", sources: sources.entries, settings: compilerSettings };
  const readImport = (path: string) => ({
    contents: sources.imports[path] ?? readFileSync(require.resolve(path), "utf8"),
  });
  const output = Output.parse(JSON.parse(solc.compile(JSON.stringify(input), { import: readImport })));

  const errors = output.errors.filter((error) => error.severity === "error");
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));

  const contracts = Object.keys(sources.entries).flatMap((path) =>
    Object.entries(output.contracts[path] ?? {}),
  );
  return Object.fromEntries(
    contracts.map(([name, { evm }]) => [
      name,
      {
        bytecode: `0x${evm.bytecode.object}`,
        runtime: `0x${evm.deployedBytecode.object}`,
        immutables: evm.deployedBytecode.immutableReferences,
        methods: Object.fromEntries(
          Object.entries(evm.methodIdentifiers).map(([signature, selector]) => [signature, `0x${selector}`]),
        ),
      },
    ]),
  );
}

parentPort?.postMessage(compile());
