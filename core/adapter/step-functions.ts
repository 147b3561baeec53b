import { type SFNClient, StartSyncExecutionCommand } from "@aws-sdk/client-sfn";
import { AppError } from "../error.ts";
import type { AuditWorkflow } from "../port/audit.ts";

/** The audit state machine as an Express workflow, started synchronously (design §6). */
export function stepFunctionsAudit(client: SFNClient, machineArn: string): AuditWorkflow {
  return {
    async run(order) {
      const execution = await client
        .send(new StartSyncExecutionCommand({ stateMachineArn: machineArn, input: JSON.stringify(order) }))
        .catch((cause: unknown) => {
          throw unavailable(cause);
        });
      if (execution.status !== "SUCCEEDED") {
        throw unavailable(new Error(`${execution.status}: ${execution.error} ${execution.cause}`));
      }
    },
  };
}

function unavailable(cause: unknown): AppError {
  return new AppError(
    "upstream",
    "audit_unavailable",
    "The audit agent is unavailable right now. Your draft is saved and this run does not count.",
    { cause, retryAfter: 30 },
  );
}
