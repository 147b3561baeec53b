import type { FunctionProps } from "sst/constructs";

/**
 * How SST bundles a handler: one minified ESM file, the AWS SDK in it (it is read faster than the runtime's own copy).
 * Without its source map: `npm run trace` makes that again from the same commit when a stack has to be read.
 */
export const bundle = {
  format: "esm",
  minify: true,
  sourcemap: false,
  esbuild: { target: "node24", keepNames: false, sourcesContent: false, legalComments: "none" },
} as const satisfies FunctionProps["nodejs"];
