import type { HDAccount } from "viem/accounts";
import { expect } from "vitest";
import * as z from "zod";
import { makeHttpClient } from "../../support/http-payer.ts";
import { approve, getTestAccount } from "../../support/payment.ts";
import type { TestService } from "../../support/service.ts";

const Challenge = z.object({ nonce: z.string(), message: z.string() });

export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly requestId: string | undefined;
};

/** A visitor with a wallet. The visitor records every secret that was sent or received. */
export function makeRecordingVisitor(origin: string, account: HDAccount) {
  const http = makeHttpClient(origin);
  const secrets = new Map<string, string>();
  let cookie: string | undefined;

  async function ask(
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const answer = await http.ask(path, { body, cookie, headers: { origin, ...headers } });
    if (answer.cookie !== undefined) {
      cookie = answer.cookie;
      secrets.set(`cookie of ${path}`, cookie.split("=")[1] ?? "");
    }
    const named = z.object({ requestId: z.string() }).safeParse(answer.body).data;
    return { status: answer.status, body: answer.body, requestId: named?.requestId };
  }

  return {
    secrets,
    ask,
    async signIn(sign: (message: string) => Promise<string> = (message) => account.signMessage({ message })) {
      const challenged = await ask("/api/auth/nonce", { address: account.address });
      const { nonce, message } = Challenge.parse(challenged.body);
      const signature = await sign(message);
      secrets.set(`sign-in nonce ${nonce}`, nonce);
      secrets.set(`sign-in signature ${nonce}`, signature.slice(2));
      return ask("/api/auth/verify", { address: account.address, nonce, signature });
    },
    /**
     * Signs fresh terms for one leg of a purchase, and pays the leg. The function `spoil` may make the payment header invalid before the
     * request is sent.
     */
    async pay(leg: "treasury" | "publisher", pressId: number, spoil = (header: string) => header) {
      const made = await http.signed(account, leg, pressId);
      const { permit, signature } = made;
      const header = spoil(made.header);
      secrets.set(`${leg} signature ${permit.nonce}`, signature.slice(2));
      secrets.set(`${leg} nonce ${permit.nonce}`, String(permit.nonce));
      secrets.set(`${leg} header ${permit.nonce}`, header);
      return ask(`/api/pay/${leg}`, { pressId }, { "payment-signature": header });
    },
  };
}
export type Visitor = ReturnType<typeof makeRecordingVisitor>;

/** Lets a new reader make both payments for a press, and returns the milliseconds that each of the two payments took. */
export async function measurePurchase(service: TestService, pressId: number, index: number) {
  const account = getTestAccount(index);
  const reader = makeRecordingVisitor(service.origin, account);
  await approve(service, account);
  const took: number[] = [];
  for (const leg of ["treasury", "publisher"] as const) {
    const began = performance.now();
    const answer = await reader.pay(leg, pressId);
    expect(answer).toMatchObject({ status: 200 });
    took.push(performance.now() - began);
  }
  return took;
}
