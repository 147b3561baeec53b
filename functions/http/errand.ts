import * as Move from "../../core/move/index.ts";
import { MoveInput } from "../../core/move/schema.ts";
import { sendGas } from "../../core/votegas/index.ts";
import { GasInput } from "../../core/votegas/schema.ts";
import { endpoint, walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const move = endpoint("move", MoveInput, async ({ body }) =>
  json(await Move.move(runtime.paymentPorts(), body)),
);

export const sendVoteGas = walletEndpoint("votes-gas", GasInput, async ({ body, caller }) =>
  json(await sendGas(runtime.paymentPorts(), caller.wallet, body)),
);
