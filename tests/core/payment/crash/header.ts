import * as z from "zod";
import { encodeHeader } from "../../../../core/payment/index.ts";
import { makeSignedHeader } from "../../../support/payment.ts";
import type { Case } from "./world.ts";

/**
 * A payment header of the payer for the leg's current terms. The header's permit is valid on every clock of these tests, which run up to
 * two minutes ahead.
 */
export function makeFreshHeader({ ports, payer, leg, pressId }: Case): Promise<string> {
  const deadline = BigInt(Math.floor(ports.clock.now() / 1000) + 590);
  return makeSignedHeader({ ports }, payer, leg, pressId, { deadline });
}

/** The same payment with an identifier (x402 extension payment-identifier). */
export function addIdentifier(header: string): string {
  const payment = z.looseObject({}).parse(JSON.parse(Buffer.from(header, "base64").toString()));
  return encodeHeader({
    ...payment,
    extensions: { "payment-identifier": { info: { required: false, id: "the-attempt-that-died" } } },
  });
}
