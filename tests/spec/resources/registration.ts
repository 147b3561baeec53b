import { keccak256, stringToBytes } from "viem/utils";
import { expect } from "vitest";
import * as z from "zod";
import { identityAbi } from "../../../core/chain/abi.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { prove } from "../holds.ts";
import { ask, read } from "../world/ask.ts";
import { article, disclosed } from "../world/desk.ts";
import { chain, service } from "../world/service.ts";
import { shelf } from "./shelf.ts";

const File = z.looseObject({ type: z.string(), name: z.string() });

/** Reads the URI of a press's identity from the chain. */
async function readTokenUri(pressId: number): Promise<string> {
  return (await chain()).readContract({
    address: mainnet.contracts.identityRegistry,
    abi: identityAbi,
    functionName: "tokenURI",
    args: [BigInt(pressId)],
  });
}

prove("2.8 registration file", async () => {
  const { held, drafted } = await shelf();
  for (const { id } of [held, drafted]) {
    const file = await read(File, `/api/meta/${id}`);
    expect(file.type).toBe("https://eips.ethereum.org/EIPS/eip-8004#registration-v1");
  }
  expect((await read(File, `/api/meta/${held.id}`)).name).toBe(article.headline);
});

prove("2.8 URI", async () => {
  const { held } = await shelf();
  const uri = await readTokenUri(held.pressId);
  expect(uri).toBe(held.audited.metaUrl);
  expect(await (await fetch(uri)).json()).toMatchObject({ registrations: [{ agentId: held.pressId }] });
});

prove("2.8 fields", async () => {
  const { held } = await shelf();
  const { origin } = await service();
  expect(await read(File, `/api/meta/${held.id}`)).toMatchObject({
    name: article.headline,
    description: article.preview,
    services: expect.arrayContaining([
      { name: "web", endpoint: `${origin}/press/${held.slug}` },
      { name: "x402-fee", endpoint: `${origin}/api/pay/treasury` },
    ]),
    x402Support: true,
    registrations: [
      { agentId: held.pressId, agentRegistry: `eip155:4663:${mainnet.contracts.identityRegistry}` },
    ],
    contentHash: keccak256(stringToBytes(disclosed.body)),
    audit: { verdict: "approve", score: held.audited.audit.score },
    price: { units: "123457" },
  });
});

prove("4.3 press", async () => {
  const { held, drafted } = await shelf();
  for (const { id, slug } of [held, drafted]) {
    expect(await ask(`/api/presses/${slug}`)).toMatchObject({ status: 200, body: { press: { id } } });
  }
  expect((await ask("/api/presses/no-such-press")).status).toBe(404);
});

prove("4.3 meta", async () => {
  const { held } = await shelf();
  expect((await read(File, `/api/meta/${held.id}`)).name).toBe(article.headline);
  expect((await ask("/api/meta/987654")).status).toBe(404);
});

prove("4.3 audit report", async () => {
  const { held } = await shelf();
  const answer = await ask(`/api/audit-report/${held.id}`);
  expect(answer).toMatchObject({ status: 200, body: held.audited.audit });
  expect((await ask("/api/audit-report/987654")).status).toBe(404);
});
