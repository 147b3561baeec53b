import { createServer } from "node:http";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme as Facilitating } from "@x402/evm/exact/facilitator";
import { ExactEvmScheme as Serving } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import express from "express";
import {
  createClient,
  type HDAccount,
  hashTypedData,
  http,
  nonceManager,
  publicActions,
  walletActions,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import * as z from "zod";
import { describeChain } from "../../client/chain.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import { platformMnemonic } from "../../local/devnet/accounts.ts";
import { listen } from "../../local/stand-in.ts";
import { answerParent, readChildSettings } from "./child.ts";

/**
 * Runs the official server: `@x402/express`, with its facilitator in the same process. viem's options tune the server: a nonce manager, a
 * poll for the receipt every 50 ms, and batched calls. The server uses its keys one after another.
 */
const { rpcUrl, keys, payTo, amount } = readChildSettings(
  z.object({ rpcUrl: z.url(), keys: z.int(), payTo: z.string(), amount: z.string() }),
);
const network = `eip155:${mainnet.chainId}` as const;
const chain = describeChain(mainnet);

/** The maximum number of calls in one request. Providers and the devnet refuse a request with more calls than this number. */
const batchSize = 20;

/**
 * The index of the official server's first account. Our service uses only accounts with indexes below this index, so that the two servers
 * never use the same nonce.
 */
const firstAccount = 20;
const clients = Array.from({ length: keys }, (_, index) => {
  const account: HDAccount = mnemonicToAccount(platformMnemonic, {
    addressIndex: firstAccount + index,
    nonceManager,
  });
  return createClient({
    account,
    chain,
    pollingInterval: 50,
    transport: http(rpcUrl, { batch: { batchSize } }),
  })
    .extend(publicActions)
    .extend(walletActions);
});
const [first] = clients;
if (first === undefined) throw new TypeError("The official server needs at least one private key.");
let turn = 0;
const takeNextClient = () => clients[turn++ % clients.length] ?? first;
const signer = toFacilitatorEvmSigner({
  address: first.account.address,
  getCode: (args) => first.getCode(args),
  readContract: (args) => first.readContract({ ...args, args: args.args ?? [] }),
  // viem's own `verifyTypedData` could verify signatures too, but its types require a block's hash.
  verifyTypedData: ({ address, signature, ...typed }) =>
    first.verifyHash({ address, signature, hash: hashTypedData(typed) }),
  writeContract: (args) => takeNextClient().writeContract(args),
  sendTransaction: (args) => takeNextClient().sendTransaction(args),
  waitForTransactionReceipt: (args) => first.waitForTransactionReceipt(args),
});
const facilitator = new x402Facilitator().register(network, new Facilitating(signer));
const server = new x402ResourceServer({
  verify: (...args) => facilitator.verify(...args),
  settle: (...args) => facilitator.settle(...args),
  getSupported: async () => ({
    ...facilitator.getSupported(),
    kinds: [{ x402Version: 2, scheme: "exact", network }],
  }),
}).register(network, new Serving());

const asset = mainnet.contracts.usdg;
const makeRoute = (extra: Readonly<Record<string, string>>) => ({
  accepts: { scheme: "exact", network, payTo, maxTimeoutSeconds: 300, price: { asset, amount, extra } },
});
const app = express();
app.use(
  paymentMiddleware(
    {
      "POST /permit2": makeRoute({ assetTransferMethod: "permit2", name: "Global Dollar", version: "1" }),
      "POST /eip3009": makeRoute({ assetTransferMethod: "eip3009", name: "Global Dollar", version: "1" }),
    },
    server,
  ),
);
app.post(["/permit2", "/eip3009"], (_request, response) => {
  response.json({ paid: true });
});
answerParent(await listen(createServer(app)));
