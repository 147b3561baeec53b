import { type SFNClient, StartSyncExecutionCommand } from "@aws-sdk/client-sfn";
import { refusalNamed, unavailable } from "../audit/error.ts";
import type { AuditOrder } from "../audit/schema.ts";
import type { AuditWorkflow } from "../port/audit.ts";
import { systemClock } from "./system.ts";

/**
 * The audit state machine as an Express workflow, started synchronously (design §6). A failed step's code is its error's
 * name. `passedOn` is what each run is given besides its order.
 */
export function stepFunctionsAudit(
  client: SFNClient,
  machineArn: string,
  passedOn: () => Pick<AuditOrder, "correlationId"> = () => ({}),
): AuditWorkflow {
  return {
    async run(order) {
      const input = JSON.stringify({ ...order, ...passedOn() });
      const execution = await client
        .send(new StartSyncExecutionCommand({ stateMachineArn: machineArn, input }))
        .catch((cause: unknown) => {
          throw unavailable(cause);
        });
      if (execution.status !== "SUCCEEDED") {
        throw (
          refusalNamed(execution.error, systemClock.now()) ??
          unavailable(new Error(`${execution.status}: ${execution.error} ${execution.cause}`))
        );
      }
    },
  };
}
