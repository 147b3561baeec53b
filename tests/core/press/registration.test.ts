import { expect, test } from "vitest";
import * as z from "zod";
import { readRegistration } from "../../../core/press/links.ts";
import { save } from "../../../core/press/own.ts";
import { startPart } from "../../support/provide.ts";
import { alwaysLate, startTestTable } from "../../support/table.ts";
import { settings as stage } from "../session/settings.ts";
import { approve, makeDraft, makeManualClock, makeMarket, publish, publisher } from "./newsroom.ts";

const settings = { ...stage, origin: "https://news.example" };

// A wallet reads the registration file right after the audit's approval, when an eventually consistent read could still show the old state.
const storage = startPart(() => startTestTable("embedded", alwaysLate));

function makePressPorts() {
  return { table: storage.table, clock: makeManualClock(), market: makeMarket({ now: 327.2 }), settings };
}

/**
 * ERC-8004's requirements for a registration file, independent of our own schema. A registration file can also have members that ERC-8004
 * does not require.
 */
const Erc8004 = z.looseObject({
  type: z.literal("https://eips.ethereum.org/EIPS/eip-8004#registration-v1"),
  name: z.string().min(1),
  description: z.string().min(1),
  image: z.url(),
  services: z.array(z.looseObject({ name: z.string().min(1), endpoint: z.url() })).min(1),
  x402Support: z.boolean(),
  active: z.boolean(),
  registrations: z.array(
    z.strictObject({
      agentId: z.int().nonnegative(),
      // The registry's name has the form {namespace}:{chainId}:{identityRegistry}, like an account's name in CAIP-10.
      agentRegistry: z.string().regex(/^eip155:\d+:0x[0-9a-fA-F]{40}$/),
    }),
  ),
  supportedTrust: z.array(z.enum(["reputation", "crypto-economic", "tee-attestation"])),
});

test("the registration file is valid ERC-8004 registration-v1 before and after the mint, even if headline and byline contain unusual characters", async () => {
  const room = makePressPorts();
  const names = { headline: 'Quotes "and" <tags>: 苹果涨了吗？', publisherName: "O'Neil \\ Söhne 👩‍💻" };
  const { id } = await save(room, publisher, makeDraft(names));
  await approve(room, id);
  const live = await publish(room, 4_000_000, names);
  for (const [press, identities] of [
    [id, 0],
    [live.id, 1],
  ] as const) {
    const file: unknown = JSON.parse(JSON.stringify(await readRegistration(room, String(press))));
    const { registrations, name } = Erc8004.parse(file);
    expect(registrations).toHaveLength(identities);
    expect(name).toBe(names.headline);
  }
});

test("a press that was never approved or is no longer approved has no registration file", async () => {
  const room = makePressPorts();
  const { id } = await save(room, publisher, makeDraft());
  await expect(readRegistration(room, String(id))).rejects.toMatchObject({ kind: "missing" });
  await approve(room, id);
  await readRegistration(room, String(id));
  await save(room, publisher, makeDraft({ id }));
  await expect(readRegistration(room, String(id))).rejects.toMatchObject({ kind: "missing" });
});
