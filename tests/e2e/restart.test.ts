import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Press, PressList } from "../../core/press/schema.ts";
import { awaitReceipt, makePayingFetch, playDemo, relayClient, type Say } from "../../local/demo/index.ts";
import { devnetDirectory } from "../support/devnet.ts";
import { launch } from "../support/start.ts";

const silence: Say = { part: () => undefined, step: () => undefined, text: () => undefined };

async function listed(origin: string): Promise<readonly Press[]> {
  return PressList.parse(await (await fetch(`${origin}/api/presses`)).json()).presses;
}

test("every press, session and payment is restored after kill -9 and after Ctrl-C", async () => {
  const directory = await devnetDirectory();
  try {
    const first = await launch({ directory });
    const { press, purchase } = await playDemo(
      { origin: first.origin, signal: new AbortController().signal },
      silence,
    );
    const before = await listed(first.origin);
    expect(before.map(({ slug }) => slug)).toEqual([press.slug]);
    await first.end("SIGKILL");

    for (const ending of ["SIGINT", "SIGTERM"] as const) {
      const next = await launch({ directory, environment: { PORT: new URL(first.origin).port } });
      const [same] = await listed(next.origin);
      expect(same).toMatchObject({ slug: press.slug, pressId: press.pressId, reads: 2 });
      const read = await fetch(`${next.origin}/api/presses/${press.slug}`, {
        headers: { cookie: purchase.cookie },
      });
      expect(await read.json()).toMatchObject({ unlocked: true, body: purchase.text });
      for (const hash of purchase.transactions) await awaitReceipt(relayClient(next.origin), hash);
      const again = await makePayingFetch(purchase.account)(`${next.origin}/api/pay/publisher`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ pressId: press.pressId }),
      });
      expect(again.status).toBe(409);
      expect(await again.json()).toMatchObject({ code: "already_unlocked" });
      expect((await next.end(ending)).code).toBe(0);
    }
  } finally {
    await rm(directory, { recursive: true });
  }
});
