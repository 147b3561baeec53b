import { type SFNClient, StartSyncExecutionCommand } from "@aws-sdk/client-sfn";
import { refusalNamed, unavailable } from "../audit/error.ts";
import type { AuditWorkflow } from "../port/audit.ts";

/** The audit state machine as an Express workflow, started synchronously (design §6). A failed step's code is its error's name. */
export function stepFunctionsAudit(client: SFNClient, machineArn: string): AuditWorkflow {
  return {
    async run(order) {
      const execution = await client
        .send(new StartSyncExecutionCommand({ stateMachineArn: machineArn, input: JSON.stringify(order) }))
        .catch((cause: unknown) => {
          throw unavailable(cause);
        });
      if (execution.status !== "SUCCEEDED") {
        throw (
          refusalNamed(execution.error) ??
          unavailable(new Error(`${execution.status}: ${execution.error} ${execution.cause}`))
        );
      }
    },
  };
}
