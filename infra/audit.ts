import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from "aws-cdk-lib/aws-stepfunctions";
import { makeAuditMachine } from "../functions/audit.asl.ts";
import { type Job, jobs } from "../functions/jobs.ts";
import { allow } from "./access.ts";
import type { Lambda, Stack } from "./constructs.ts";
import { makeFunction, type StackContext } from "./function.ts";
import { makeLogs } from "./storage.ts";

/**
 * An AWS account has only one policy for log deliveries, and the size of this policy is limited. Log groups with this prefix need no entry
 * in the policy.
 */
const vendedLogs = "/aws/vendedlogs/states/";

export type AuditMachine = { readonly machine: StateMachine; readonly steps: ReadonlyMap<Job["id"], Lambda> };

/** The audit workflow: one Lambda per step, and an Express workflow that calls the Lambdas as `audit.asl.ts` describes. */
export function buildAudit(stack: Stack, context: StackContext): AuditMachine {
  const rows = jobs.filter(({ trigger }) => trigger.kind === "step");
  const steps = new Map<Job["id"], Lambda>(rows.map((row) => [row.id, makeFunction(stack, row, context)]));
  return { machine: makeMachine(stack, context, steps), steps };
}

function makeMachine(stack: Stack, { settings }: StackContext, steps: AuditMachine["steps"]): StateMachine {
  const requireArn = (id: string) => {
    const step = steps.get(id);
    if (step === undefined) throw new Error(`The audit's step ${id} has no row in jobs.ts`);
    return step.functionArn;
  };
  const role = new Role(stack, "machine-role", { assumedBy: new ServicePrincipal("states.amazonaws.com") });
  const functions = [...steps.values()].map(({ functionArn }) => functionArn);
  role.addToPolicy(allow(["lambda:InvokeFunction"], functions));
  const logs = makeLogs(stack, "machine-logs", settings, vendedLogs);
  stack.addOutputs({ MachineLogs: logs.logGroupName });
  return new StateMachine(stack, "machine", {
    stateMachineType: StateMachineType.EXPRESS,
    definitionBody: DefinitionBody.fromString(stack.toJsonString(makeAuditMachine(requireArn))),
    role,
    tracingEnabled: true,
    logs: {
      destination: logs,
      level: LogLevel.ALL,
      // Drafts are private until they go live, so their texts stay out of the logs.
      includeExecutionData: false,
    },
  });
}
