import { randomBytes } from "node:crypto";
import { type OutgoingHttpHeaders, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import type { LocalAccount } from "viem";
import * as z from "zod";
import { mainnet } from "../../core/chain/deployment.ts";

const Text = z.object({ body: z.string() });

/** Sends a POST request with this body as JSON, and breaks the connection after the given milliseconds. */
export async function sendAndHangUp(
  url: string,
  headers: OutgoingHttpHeaders,
  body: unknown,
  milliseconds: number,
): Promise<void> {
  const sent = request(url, { method: "POST", headers: { "content-type": "application/json", ...headers } });
  sent.on("error", () => undefined);
  sent.on("response", (response) => response.on("error", () => undefined).resume());
  await new Promise<void>((flushed) => sent.end(JSON.stringify(body), flushed));
  await sleep(milliseconds);
  sent.destroy();
}

/** Reads the text of a press for a buyer who has no session, but only the wallet that paid. The buyer sends a signed proof (SIWX). */
export async function readByProof(account: LocalAccount, uri: string): Promise<string> {
  const { host, origin } = new URL(uri);
  const proof = await createSIWxPayload(
    {
      domain: host,
      uri,
      version: "1",
      nonce: randomBytes(16).toString("hex"),
      issuedAt: new Date(Date.now() - 5_000).toISOString(),
      chainId: `eip155:${mainnet.chainId}`,
      type: "eip191",
    },
    account,
    new URL(origin),
  );
  const response = await fetch(uri, { headers: { "sign-in-with-x": encodeSIWxHeader(proof) } });
  return Text.parse(await response.json()).body;
}
