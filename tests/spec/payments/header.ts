import { expect, vi } from "vitest";
import { prove, proveEach } from "../holds.ts";
import { encodeHeader, makeSignedPayment, type Payment } from "../world/permit.ts";
import {
  decodeHeader,
  makeReader,
  payWithClient,
  requestEntry,
  requestTerms,
  sendPayRequest,
  Terms,
} from "../world/purse.ts";
import { makeOnce } from "../world/scene.ts";
import { press } from "./purchase-scene.ts";

/** A valid payment of a fee; the payment has not been sent to the service yet. */
const good = makeOnce(async () =>
  makeSignedPayment(await makeReader(), await requestEntry("treasury", (await press()).pressId)),
);

async function sendPaymentHeader(header: string) {
  return sendPayRequest("treasury", (await press()).pressId, header);
}

/** Expects that a payment header is refused as malformed and answered with fresh terms. */
async function expectMalformed(header: string): Promise<void> {
  const { status, body } = await sendPaymentHeader(header);
  expect(status).toBe(402);
  expect(body).toMatchObject({ error: expect.stringContaining("Malformed payment header") });
  expect(Terms.safeParse(body).success).toBe(true);
}

type LooseDocument = { readonly [name: string]: unknown };

/** Returns a copy of the given payment with a changed authorization. */
function changeAuthorization(
  payment: Payment,
  changeFields: (signed: LooseDocument) => LooseDocument,
): LooseDocument {
  const { permit2Authorization, ...payload } = payment.payload;
  return {
    ...payment,
    payload: { ...payload, permit2Authorization: changeFields({ ...permit2Authorization }) },
  };
}

function omitField(name: string) {
  return (document: LooseDocument): LooseDocument =>
    Object.fromEntries(Object.entries(document).filter(([key]) => key !== name));
}

prove("4.4 header", async () => {
  const sent = await good();
  await expectMalformed(JSON.stringify(sent));
  expect((await sendPaymentHeader(encodeHeader(sent))).status).toBe(200);
});

prove("4.4 header.x402Version", async () => {
  const sent = await good();
  await expectMalformed(encodeHeader({ ...sent, x402Version: 1 }));
  await expectMalformed(encodeHeader(omitField("x402Version")({ ...sent })));
});

prove("4.4 header.accepted", async () => {
  await expectMalformed(encodeHeader(omitField("accepted")({ ...(await good()) })));
});

prove("4.4 header.resource", async () => {
  const reader = await makeReader();
  const { pressId } = await press();
  const { resource } = await requestTerms("treasury", pressId);
  const asked = vi.spyOn(globalThis, "fetch");
  const { status } = await payWithClient(reader, "treasury", pressId);
  const headers = asked.mock.calls.map(([input, init]) =>
    (input instanceof Request ? input.headers : new Headers(init?.headers)).get("payment-signature"),
  );
  asked.mockRestore();
  expect(status).toBe(200);
  const [sent] = headers.filter((header) => header !== null);
  expect(decodeHeader(sent ?? null)).toMatchObject({ resource: { url: resource.url } });
  // Clients may leave out the field `resource` of a payment, because the body names the press.
  const other = await makeSignedPayment(await makeReader(), await requestEntry("treasury", pressId));
  expect((await sendPaymentHeader(encodeHeader(omitField("resource")({ ...other })))).status).toBe(200);
});

prove("4.4 header.payload.signature", async () => {
  const sent = await good();
  const { signature, ...payload } = sent.payload;
  await expectMalformed(encodeHeader({ ...sent, payload }));
  await expectMalformed(encodeHeader({ ...sent, payload: { ...payload, signature: signature.slice(2) } }));
});

proveEach<string>(
  {
    "4.4 header…permitted": "permitted",
    "4.4 header…from": "from",
    "4.4 header…spender": "spender",
    "4.4 header…nonce": "nonce",
    "4.4 header…deadline": "deadline",
    "4.4 header…witness": "witness",
  },
  async (name) => {
    await expectMalformed(encodeHeader(changeAuthorization(await good(), omitField(name))));
  },
);

prove("4.4 header: strings", async () => {
  const sent = await good();
  const { permitted, witness } = sent.payload.permit2Authorization;
  for (const change of [
    { deadline: 4_000_000_000 },
    { nonce: 7 },
    { permitted: { ...permitted, amount: 12_345 } },
    { witness: { ...witness, validAfter: 0 } },
  ]) {
    await expectMalformed(encodeHeader(changeAuthorization(sent, (signed) => ({ ...signed, ...change }))));
  }
});

prove("7 402 Malformed payment header", async () => {
  await expectMalformed("not base64!");
  await expectMalformed(Buffer.from("not JSON").toString("base64"));
  await expectMalformed(encodeHeader({}));
});
