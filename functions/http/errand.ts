import * as Move from "../../core/move/index.ts";
import { MoveInput } from "../../core/move/schema.ts";
import { sendGas } from "../../core/votegas/index.ts";
import { GasInput } from "../../core/votegas/schema.ts";
import { serveRoute, serveWallet } from "../lib/endpoint.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const move = serveRoute("move", MoveInput, async ({ body }) =>
  makeJson(await Move.move(runtime.paymentPorts(), body)),
);

export const sendVoteGas = serveWallet("votes-gas", GasInput, async ({ body, caller }) =>
  makeJson(await sendGas(runtime.paymentPorts(), caller.wallet, body)),
);
