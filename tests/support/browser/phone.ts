import { SignClient } from "@walletconnect/sign-client";
import type { LocalAccount } from "viem";
import { vi } from "vitest";
import * as z from "zod";
import { type Address, AddressInput, type Hex, HexInput } from "../../../core/chain/hex.ts";
import { type Refusal, walletConnectRejected } from "./answers.ts";
import { parseTypedData } from "./wallet.ts";

/**
 * A simulated wallet on another device, which a page reaches by WalletConnect. The wallet consists of WalletConnect's own client and a key.
 */
export type Phone = Awaited<ReturnType<typeof startPhone>>;

type PhoneOptions = {
  readonly relayUrl: string;
  readonly projectId: string;
  readonly chainId: number;
  /** The account whose key signs. */
  readonly signer: LocalAccount;
  /** The account that the phone shows: the key's own account, or a contract wallet for which the key signs, such as a Safe. */
  readonly address: Address;
  /**
   * Sends a transaction of the account, and returns the hash that the page gets. Without `send`, the page gets the hash of an unknown
   * transaction.
   */
  readonly send?: ((transaction: z.infer<typeof Transaction>) => Promise<Hex>) | undefined;
};

const Transaction = z.object({ to: AddressInput, data: HexInput });

export async function startPhone(options: PhoneOptions) {
  const { relayUrl, projectId, chainId, signer, address, send } = options;
  const chain = `eip155:${chainId}`;
  const asked: string[] = [];
  let refusal: Refusal | undefined;
  // `IS_VITEST` is the library's own setting for tests: with it, the phone checks no attestation, because the keys for such a check are not
  // on this machine.
  vi.stubEnv("IS_VITEST", "true");
  const client = await SignClient.init({
    relayUrl,
    projectId,
    logger: "silent",
    telemetryEnabled: false,
    // WalletConnect's clients of one process share their storage unless the storage's prefix differs.
    customStoragePrefix: address,
    metadata: {
      name: "Test Phone",
      description: "A wallet of tests",
      url: "https://phone.example",
      icons: [],
    },
  });

  client.on("session_proposal", async ({ id, params }) => {
    const wanted = { ...params.optionalNamespaces.eip155, ...params.requiredNamespaces.eip155 };
    const { methods = [], events = [] } = wanted;
    const namespaces = {
      eip155: { chains: [chain], accounts: [`${chain}:${address}`], methods, events },
    };
    await client.approve({ id, namespaces });
  });

  const answer = async (method: string, params: unknown): Promise<unknown> => {
    if (method === "personal_sign") {
      const [message] = z.tuple([HexInput, z.string()]).parse(params);
      return signer.signMessage({ message: { raw: message } });
    }
    if (method === "eth_sendTransaction" && send !== undefined)
      return send(z.tuple([Transaction]).parse(params)[0]);
    if (method !== "eth_signTypedData_v4") throw new Error(`It does not know ${method}`);
    return signer.signTypedData(parseTypedData(z.tuple([z.string(), z.string()]).parse(params)[1]));
  };
  client.on("session_request", async ({ id, topic, params: { request } }) => {
    asked.push(request.method);
    const reply = { id, jsonrpc: "2.0" };
    if (refusal !== undefined)
      await client.respond({
        topic,
        response: { ...reply, error: { code: refusal.code, message: refusal.message } },
      });
    else {
      const result = await answer(request.method, request.params);
      await client.respond({ topic, response: { ...reply, result } });
    }
  });

  return {
    /** Reads a page's WalletConnect link, and connects the phone to the page. */
    pair: (uri: string) => client.pair({ uri }),
    /** The methods that pages have requested, in order. */
    asked,
    /** Sets whether the phone refuses all later requests, as if its user tapped Reject. */
    decline: (does: boolean) => {
      refusal = does ? walletConnectRejected : undefined;
    },
    async stop() {
      await client.core.relayer.transportClose();
      client.core.heartbeat.stop();
    },
  };
}
