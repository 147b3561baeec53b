import { sendGas } from "../../core/votegas/index.ts";
import { GasInput } from "../../core/votegas/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { paymentPorts } from "../lib/payment.ts";
import { json } from "../lib/reply.ts";

export const handler = walletEndpoint("votes-gas", GasInput, async ({ body, caller }) =>
  json(await sendGas(paymentPorts(), caller.wallet, body)),
);
