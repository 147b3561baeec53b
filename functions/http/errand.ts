import * as Move from "../../core/move/index.ts";
import { MoveInput } from "../../core/move/schema.ts";
import { sendGas } from "../../core/votegas/index.ts";
import { GasInput } from "../../core/votegas/schema.ts";
import { makeHandler, makeWalletHandler } from "../lib/endpoint.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const move = makeHandler("move", MoveInput, async ({ body }) =>
  makeJson(await Move.move(runtime.makePaymentPorts(), body)),
);

export const sendVoteGas = makeWalletHandler("votes-gas", GasInput, async ({ body, caller }) =>
  makeJson(await sendGas(runtime.makePaymentPorts(), caller.wallet, body)),
);
