import * as Move from "../../core/move/index.ts";
import { MoveInput } from "../../core/move/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { paymentPorts } from "../lib/payment.ts";
import { json } from "../lib/reply.ts";

export const handler = endpoint("move", MoveInput, async ({ body }) =>
  json(await Move.move(paymentPorts(), body)),
);
