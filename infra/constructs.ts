import type { App } from "aws-cdk-lib/core";
import { type FunctionProps, Function as Lambda, Stack } from "sst/constructs";

/**
 * Everything that the stacks use from SST: the name of a stage's stack, its outputs, and the bundling of handlers. All other parts of the
 * stacks use only CDK. `tests/infra/plain-cdk.ts` has the same exports and makes the same templates with CDK alone, so it can replace this
 * file if the project stops using SST.
 */
export { type FunctionProps, Lambda, Stack };

/** Makes a stack of the stage. SST adds to each stack a function for SST's own custom resources; this project does not use the function. */
export function makeStack(app: App, id: string): Stack {
  const stack = new Stack(app, id);
  stack.node.tryRemoveChild("CustomResourceHandler");
  return stack;
}
