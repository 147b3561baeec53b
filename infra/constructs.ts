import type { App } from "aws-cdk-lib/core";
import { type FunctionProps, Function as Lambda, Stack } from "sst/constructs";

/**
 * All that the stacks take from SST: the name of a stage's stack, its outputs, and how a handler is bundled. Everything else is
 * plain CDK. `tests/infra/plain-cdk.ts` has the same exports over CDK alone, and the same templates come of it: leaving SST is
 * putting it into this file's place.
 */
export { type FunctionProps, Lambda, Stack };

/** A stack of the stage. SST puts a function for custom resources of its own into each, which nothing here uses. */
export function makeStack(app: App, id: string): Stack {
  const stack = new Stack(app, id);
  stack.node.tryRemoveChild("CustomResourceHandler");
  return stack;
}
