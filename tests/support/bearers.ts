import type { HDAccount } from "viem/accounts";
import { concat } from "viem/utils";
import { expect, vi } from "vitest";
import * as z from "zod";
import { type Hex, lower } from "../../core/chain/hex.ts";
import { encodeSettle } from "../../core/chain/permit2.ts";
import { contractAddress, filings } from "../../local/seed/articles.ts";
import type { ServiceOptions } from "../../local/service.ts";
import { moveClockForward } from "./clock.ts";
import { publishApproved } from "./demo-press.ts";
import { startNodeProxy } from "./door.ts";
import { encodeHidingCall, hider, placeHider } from "./hider.ts";
import { makeHttpClient, type SignOptions } from "./http-payer.ts";
import { listTransfers } from "./ledger.ts";
import { approve, exactProxy, getTestAccount, send, usdg } from "./payment.ts";
import { startServiceBehind } from "./service.ts";
import { makeWallet, setPaused } from "./wallets.ts";

/** The amounts of the two payments for a press that costs 0.25 USDG. */
export const parts = { treasury: 25_000n, publisher: 225_000n } as const;
export type PricePart = keyof typeof parts;

/** A signed payment: its header, and the call with which anybody who has seen the payment can settle it. */
export type SignedCall = { readonly header: string; readonly to: Hex; readonly call: Hex };

export type Reader = { readonly account: HDAccount; readonly wallet: Hex };
export type Press = { readonly pressId: number; readonly slug: string; readonly text: string };

const [stranger, publisher] = [getTestAccount(1), getTestAccount(4)];
const Detail = z.object({ press: z.object({ reads: z.int() }) });

/**
 * Starts the whole service with two presses of the same owner and price, with readers, and with a stranger who settles payments that he has
 * seen. A test file can start this service only once.
 */
export async function startBearers(options: Pick<Partial<ServiceOptions>, "environment" | "site"> = {}) {
  const service = await startServiceBehind("chain", startNodeProxy, options);
  const { proxy: door, client } = service;
  await placeHider(service.rpcUrl);
  const publish = async (article: typeof filings): Promise<Press> => {
    const order = { ...article, priceUsdg: 0.25, publisherName: "P" };
    return { ...(await publishApproved(service, publisher, order)), text: article.body };
  };
  const presses = [await publish(filings), await publish(contractAddress)] as const;

  const http = makeHttpClient(service.origin);
  // The broadcast of a verdict would run an action of `door.before` that is meant for a payment. If the verdict's worker fails once, the
  // verdict comes three minutes later.
  const hasVerdict = async ({ slug }: Press) =>
    (await http.ask(`/api/presses/${slug}`)).text.includes('"auditTx":"0x');
  for (const press of presses) await vi.waitUntil(() => hasVerdict(press), { timeout: 240_000 });
  async function sendPressRequest({ pressId }: Press, part: PricePart, header?: string) {
    const { status, headers, body } = await http.pay(part, pressId, header);
    return { status, retryAfter: headers.get("retry-after"), body };
  }

  /** Signs a payment of the current terms. */
  async function sign({ account }: Reader, { pressId }: Press, part: PricePart, options?: SignOptions) {
    const signed = await http.signed(account, part, pressId, { tries: 0, ...options });
    return { ...signed, to: exactProxy, call: encodeSettle(signed.permit, signed.signature) };
  }

  /** Signs a payment of the current terms by EIP-3009. */
  async function signAuthorization({ account }: Reader, { pressId }: Press, part: PricePart) {
    return { ...(await http.signTransfer(account, part, pressId)), to: usdg };
  }

  return {
    service,
    door,
    client,
    presses,
    request: sendPressRequest,
    sign,
    signAuthorization,
    /** Makes a wallet with one USDG that Permit2 is allowed to move, and pays the fee of the given presses from this wallet. */
    async makeReader(...bought: readonly Press[]): Promise<Reader> {
      const account = await makeWallet(service, 1_000_000n);
      const reader = { account, wallet: lower(account.address) };
      await client.setBalance({ address: account.address, value: 10n ** 18n });
      await approve(service, account);
      for (const press of bought) {
        const { header } = await sign(reader, press, "treasury");
        expect((await sendPressRequest(press, "treasury", header)).status).toBe(200);
      }
      return reader;
    },
    /** Pauses the token, so that our settlement of this payment reverts. After the failed settlement, everybody has seen the payment. */
    async revert(press: Press, { header }: SignedCall): Promise<void> {
      door.before("eth_sendRawTransactionSync", () => setPaused(service, true));
      const answer = await sendPressRequest(press, "publisher", header);
      expect(answer).toMatchObject({ status: 402, body: { code: "permit2_simulation_failed" } });
      await setPaused(service, false);
    },
    /**
     * Lets the stranger settle a payment by a transaction. The transaction's calldata is the payment's call, followed by the given bytes.
     * Returns the transaction's hash.
     */
    async settle({ to, call }: SignedCall, bytes: Hex = "0x"): Promise<Hex> {
      return (await send({ client }, stranger, to, concat([call, bytes]))).transactionHash;
    },
    /** Lets the stranger settle a payment through a contract, by a transaction whose calldata hides the payment. */
    async settleHidden({ call }: SignedCall): Promise<Hex> {
      return (await send({ client }, stranger, hider, encodeHidingCall(call))).transactionHash;
    },
    /** All amounts that the wallet has paid to publishers for texts. */
    async listCharges({ wallet }: Reader): Promise<readonly bigint[]> {
      const moved = await listTransfers({ client }, { from: wallet });
      return moved.map(({ value }) => value).filter((value) => value === parts.publisher);
    },
    /** The number of the press's unlocks. */
    async countReads({ slug }: Press): Promise<number> {
      return Detail.parse((await http.ask(`/api/presses/${slug}`)).body).press.reads;
    },
    /** Resolves when `count` payments wait for a relayer key. */
    async waitForPayers(count: number): Promise<void> {
      const read = () =>
        service.table.entities.settlement.query.inFlight({ pending: "waiting" }).go({ pages: "all" });
      await vi.waitUntil(async () => (await read()).data.length >= count, { timeout: 60_000, interval: 20 });
    },
    /** Moves the clocks of the chain and the service forward. The service's clock stays ahead until mocks are restored. */
    async passTime(seconds: number): Promise<void> {
      await client.increaseTime({ seconds });
      moveClockForward(seconds);
    },
    stop: service.stop,
  };
}
