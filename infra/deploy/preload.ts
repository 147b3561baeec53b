/**
 * Adds rollback triggers to SST's updates of stacks. This file is loaded before SST's command line, which has no setting for rollback
 * triggers.
 */
import { createRequire } from "node:module";
import * as z from "zod";
import type { RollbackAlarms } from "./stacks.ts";

const Command = z.object({ input: z.looseObject({ StackName: z.string().optional() }) });
const Client = z.custom<{ prototype: { send: (...sent: unknown[]) => unknown } }>(
  (value) => typeof value === "function",
);
const Sdk = z.object({ CloudFormationClient: Client, UpdateStackCommand: Client });

// `CloudFormationClient` comes from SST's own copy of the AWS SDK, not from this project's copy.
const require = createRequire(import.meta.resolve("sst/cli/sst.js"));
const { CloudFormationClient, UpdateStackCommand } = Sdk.parse(require("@aws-sdk/client-cloudformation"));
const order: RollbackAlarms = JSON.parse(process.env.ROLLBACK_ORDER ?? "{}");
const { send } = CloudFormationClient.prototype;

function sendAndWatch(this: unknown, ...sent: unknown[]): unknown {
  const [command] = sent;
  if (
    typeof command === "object" &&
    command !== null &&
    Object.getPrototypeOf(command) === UpdateStackCommand.prototype
  ) {
    const { input } = Command.parse(command);
    const RollbackConfiguration = order[input.StackName ?? ""];
    if (RollbackConfiguration !== undefined) {
      Reflect.set(command, "input", { ...input, RollbackConfiguration });
    }
  }
  return Reflect.apply(send, this, sent);
}

CloudFormationClient.prototype.send = sendAndWatch;
