import type { HDAccount } from "viem/accounts";
import * as z from "zod";
import { makeHttpClient } from "../../support/http-payer.ts";

const Challenge = z.object({ nonce: z.string(), message: z.string() });

export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly requestId: string | undefined;
};

/** A visitor with a wallet; the visitor records every secret that was sent or received. */
export function makeRecordingVisitor(origin: string, account: HDAccount) {
  const secrets = new Map<string, string>();
  let cookie: string | undefined;

  async function ask(
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await fetch(`${origin}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        origin,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(cookie !== undefined && { cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      cookie = line.split(";")[0] ?? "";
      secrets.set(`cookie of ${path}`, cookie.split("=")[1] ?? "");
    }
    const text = await response.text();
    const answer: unknown = text === "" ? undefined : JSON.parse(text);
    return {
      status: response.status,
      body: answer,
      requestId: z.object({ requestId: z.string() }).safeParse(answer).data?.requestId,
    };
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
    /** Signs fresh terms for one leg of the payment and pays; a function may make the header invalid before the request is sent. */
    async pay(leg: "treasury" | "publisher", pressId: number, spoil = (header: string) => header) {
      const made = await makeHttpClient(origin).signed(account, leg, pressId);
      const { permit, signature } = made;
      const header = spoil(made.header);
      secrets.set(`${leg} signature ${permit.nonce}`, signature.slice(2));
      secrets.set(`${leg} nonce ${permit.nonce}`, String(permit.nonce));
      secrets.set(`${leg} header ${permit.nonce}`, header);
      return { answer: await ask(`/api/pay/${leg}`, { pressId }, { "payment-signature": header }), header };
    },
  };
}
export type Visitor = ReturnType<typeof makeRecordingVisitor>;
