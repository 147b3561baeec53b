import type { App } from "aws-cdk-lib/core";
import { type FunctionProps, Function as Lambda, Stack } from "sst/constructs";

/**
 * Everything that the stacks use from SST: the name of a stage's stack, its outputs, and the bundling of handlers. The rest is plain CDK.
 * `tests/infra/plain-cdk.ts` has the same exports with CDK alone and makes the same templates, so it can replace this file to leave SST.
 */
export { type FunctionProps, Lambda, Stack };

/** A stack of the stage. SST puts a function for custom resources of its own into each, which nothing here uses. */
export function makeStack(app: App, id: string): Stack {
  const stack = new Stack(app, id);
  stack.node.tryRemoveChild("CustomResourceHandler");
  return stack;
}
