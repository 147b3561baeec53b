import { createServer } from "node:http";
import { KMSClient } from "@aws-sdk/client-kms";
import { expect, test } from "vitest";
import { encrypt, makeKmsPushSigner, makePhrasePushSigner, makeWebPush } from "../../../core/adapter/push.ts";
import { systemClock } from "../../../core/adapter/system.ts";
import { startKms } from "../../../local/kms.ts";
import { listen } from "../../../local/stand-in.ts";
import { localAws } from "../../support/aws.ts";
import { startPart } from "../../support/provide.ts";
import { startPushService } from "../../support/push-service.ts";

const service = startPart(startPushService);

const signer = makePhrasePushSigner("test");
const readPublicKey = async () => Buffer.from(await signer.publicKey()).toString("base64url");
const push = (options: Partial<Parameters<typeof makeWebPush>[0]> = {}) =>
  makeWebPush({
    signer,
    subject: "https://news.example",
    clock: systemClock,
    log: { warn: () => undefined },
    timeLimit: 60_000,
    ...options,
  });
const makeTarget = ({ endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } }) => ({
  endpoint,
  ...keys,
});

test("a message is encrypted exactly as in the example of RFC 8291", () => {
  const decodeBytes = (text: string) => Buffer.from(text, "base64url");
  const body = encrypt(
    {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
    Buffer.from("When I grow up, I want to be a watermelon"),
    {
      privateKey: decodeBytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
      salt: decodeBytes("DGv6ra1nlYgDCS1FRnbzlw"),
    },
  );
  expect(Buffer.from(body ?? []).toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("a strict push service accepts our messages, and a browser can decrypt a message of the maximum length", async () => {
  const browser = service.makeBrowser(await readPublicKey());
  const longest = { text: "x".repeat(2_950) };
  const sent = await push().send(makeTarget(browser.subscription), JSON.stringify(longest), "press-1");
  expect({ sent, shown: browser.shown }).toEqual({ sent: { status: "sent" }, shown: [longest] });
  await expect(push().send(makeTarget(browser.subscription), "x".repeat(3_001), "press-1")).rejects.toThrow(
    RangeError,
  );
});

test("the tokens for push services are signed by a key that never leaves KMS, and a strict push service accepts these tokens", async () => {
  const keys = [
    { id: "push", keySpec: "ECC_NIST_P256" },
    { id: "relayer", privateKey: "11".repeat(32) },
  ] as const;
  const kms = await startKms({ keys });
  const client = new KMSClient({ endpoint: kms.endpoint, ...localAws });
  const own = makeKmsPushSigner(client, "push");
  const browser = service.makeBrowser(Buffer.from(await own.publicKey()).toString("base64url"));
  for (let at = 0; at < 8; at += 1) {
    const fresh = push({ signer: own });
    expect(await fresh.send(makeTarget(browser.subscription), "{}", "press-1")).toEqual({ status: "sent" });
  }
  await expect(makeKmsPushSigner(client, "relayer").publicKey()).rejects.toThrow("ECC_SECG_P256K1");
  await kms.stop();
});

test("a message that is not signed by the subscription's key is refused, and the subscription is kept", async () => {
  const browser = service.makeBrowser(await readPublicKey());
  const other = push({ signer: makePhrasePushSigner("another") });
  expect(await other.send(makeTarget(browser.subscription), "{}", "press-1")).toEqual({ status: "refused" });
  expect(service.refused.at(-1)).toBe("another key than subscribed");
});

test("a signed token for a push service is renewed before the token expires", async () => {
  const browser = service.makeBrowser(await readPublicKey());
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const own = push({ clock });
  const send = () => own.send(makeTarget(browser.subscription), "{}", "press-1");
  ahead = -11 * 60 * 60_000;
  expect(await send()).toEqual({ status: "sent" });
  ahead = 2 * 60 * 60_000;
  expect(await send()).toEqual({ status: "sent" });
});

test.each([
  [404, "gone", undefined],
  [410, "gone", undefined],
  [302, "refused", undefined],
  [400, "refused", undefined],
  [429, "later", 77],
  [503, "later", undefined],
] as const)(
  "if a push service answers with the status %i, the result for the browser is %s",
  async (status, means, retryAfter) => {
    const browser = service.makeBrowser(await readPublicKey());
    const trap = service.makeBrowser(await readPublicKey());
    const headers = {
      location: trap.subscription.endpoint,
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    };
    browser.answers.push({ status, headers });
    const delivery = await push().send(makeTarget(browser.subscription), "{}", "press-1");
    expect(delivery).toEqual({ status: means, ...(means === "later" && { retryAfter }) });
    expect(trap.shown).toEqual([]);
  },
);

test("if a push service answers too late, the message is sent to the push service again later", async () => {
  const silent = await listen(createServer(() => undefined));
  const { keys } = service.makeBrowser().subscription;
  const endpoint = `${silent.endpoint}/push/x`;
  const later = { status: "later", retryAfter: undefined };
  expect(await push({ timeLimit: 50 }).send({ endpoint, ...keys }, "{}", "press-1")).toEqual(later);
  await silent.stop();
});

test("an unreachable push service is asked again later, and a subscription whose key is not on the curve counts as ended", async () => {
  const { keys } = service.makeBrowser().subscription;
  expect(await push().send({ endpoint: "http://127.0.0.1:1/push/x", ...keys }, "{}", "press-1")).toEqual({
    status: "later",
    retryAfter: undefined,
  });
  const p256dh = Buffer.alloc(65, 4).toString("base64url");
  expect(
    await push().send({ endpoint: `${service.origin}/push/x`, ...keys, p256dh }, "{}", "press-1"),
  ).toEqual({
    status: "gone",
  });
});
