import type { FunctionProps } from "sst/constructs";

/**
 * How SST bundles a handler: one minified ESM file, the AWS SDK in it (it is read faster than the runtime's own copy).
 * The source map stays beside it for whoever reads a stack trace; Node does not load it by itself.
 */
export const bundle = {
  format: "esm",
  minify: true,
  sourcemap: true,
  esbuild: { target: "node24", keepNames: false, sourcesContent: false, legalComments: "none" },
} as const satisfies FunctionProps["nodejs"];
