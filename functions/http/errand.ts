import * as Move from "../../core/move/index.ts";
import { MoveInput } from "../../core/move/schema.ts";
import { sendGas } from "../../core/votegas/index.ts";
import { GasInput } from "../../core/votegas/schema.ts";
import { endpoint, walletEndpoint } from "../lib/endpoint.ts";
import { paymentPorts } from "../lib/payment.ts";
import { json } from "../lib/reply.ts";

export const move = endpoint("move", MoveInput, async ({ body }) =>
  json(await Move.move(paymentPorts(), body)),
);

export const sendVoteGas = walletEndpoint("votes-gas", GasInput, async ({ body, caller }) =>
  json(await sendGas(paymentPorts(), caller.wallet, body)),
);
