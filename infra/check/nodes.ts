import { setTimeout as sleep } from "node:timers/promises";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import type { Address } from "../../core/chain/hex.ts";
import type { Nodes } from "../chains.ts";
import type { StageSettings } from "../stages.ts";
import { checkServes } from "./chain.ts";
import { type Finding, failing, finding } from "./finding.ts";

/** The nodes of a stage's payments, and of all else but the relay. Throws as `addressesOf`. */
export function nodesOf({ region, chain: { rpc } }: StageSettings): Promise<readonly string[]> {
  return addressesOf(region, rpc);
}

/**
 * The addresses of nodes, the preferred one first; those of a secret are read with the caller's own rights. Throws
 * an Error that names the secret when it is not there, or holds no addresses.
 */
export async function addressesOf(region: string, nodes: Nodes): Promise<readonly string[]> {
  if ("urls" in nodes) return nodes.urls;
  const { secretName } = nodes;
  const read = new GetSecretValueCommand({ SecretId: secretName });
  const { SecretString = "" } = await new SecretsManagerClient({ region }).send(read);
  const urls = SecretString.split(",").map((url) => url.trim());
  if (!urls.every((url) => URL.canParse(url))) {
    throw new Error(`The secret ${secretName} does not hold addresses, separated by commas`);
  }
  return urls;
}

/** As much as the service asks at once: calls in a batch, and blocks whose logs one call reads. */
const batchSize = 20;
const window = 5_000;

/** Codes of nodes that do not know a method (EIP-1474, and what providers say instead). */
const unknownMethod: ReadonlySet<number> = new Set([-32601, -32600, -32004]);

/** keccak256("Transfer(address,address,uint256)"). */
const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const Reply = z.object({
  result: z.json().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});
type Reply = z.infer<typeof Reply>;
type Call = { readonly method: string; readonly params: readonly unknown[] };

/**
 * Whether a node serves a chain, and takes what the service sends it: batches, logs of a whole window, and the send that
 * waits for the receipt (EIP-7966), without which payments poll. Changes nothing. `usdg` is a contract with transfers.
 */
export async function checkNode(
  name: string,
  url: string,
  { id, usdg }: { readonly id: number; readonly usdg: Address },
): Promise<readonly Finding[]> {
  const serves = await checkServes(`${name} serves chain ${id}`, id, [url]);
  if (serves.fault !== undefined) return [serves];
  return [
    serves,
    await finding(`${name} answers ${batchSize} calls at once`, async () => {
      const calls = Array.from({ length: batchSize }, (_, index) => ({
        method: "eth_getBalance",
        params: [`0x${String(index + 1).padStart(40, "0")}`, "latest"],
      }));
      const replies = await batch(url, calls);
      const refused = replies.find(({ error }) => error !== undefined)?.error;
      if (refused !== undefined) return `${refused.code} ${refused.message}`;
      return replies.length === batchSize ? undefined : `it answers ${replies.length} of them`;
    }),
    await finding(`${name} tells the logs of ${window} blocks`, async () => {
      const head = Number(
        z.string().parse((await one(url, { method: "eth_blockNumber", params: [] })).result),
      );
      const [fromBlock, toBlock] = [Math.max(0, head - window + 1), head].map(
        (block) => `0x${block.toString(16)}`,
      );
      const filter = { address: usdg, fromBlock, toBlock, topics: [transfer, null, `0x${"0".repeat(64)}`] };
      const { result, error } = await one(url, { method: "eth_getLogs", params: [filter] });
      if (error !== undefined) return `${error.code} ${error.message}`;
      return Array.isArray(result) ? undefined : "its answer is no list";
    }),
    await syncSend(name, url),
  ];
}

/** Never a fault of its own: the service polls where a node does not know the method. What is sent is no transaction. */
async function syncSend(name: string, url: string): Promise<Finding> {
  const method = "eth_sendRawTransactionSync";
  const [found] = await failing(`${name} knows ${method}`, async () => {
    const { error } = await one(url, { method, params: ["0x"] });
    const knows = error !== undefined && !unknownMethod.has(error.code);
    const what = knows
      ? `${name} knows ${method}`
      : `${name} does not know ${method}: payments poll for receipts`;
    return [{ what, fault: undefined }];
  });
  return found;
}

async function one(url: string, call: Call): Promise<Reply> {
  return Reply.parse(await post(url, { jsonrpc: "2.0", id: 1, ...call }));
}

async function batch(url: string, calls: readonly Call[]): Promise<readonly Reply[]> {
  const body = calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }));
  const answer = await post(url, body);
  return z.array(Reply).parse(Array.isArray(answer) ? answer : [answer]);
}

/** Asks up to three times, a second apart, where a public node limits how often. Throws what it says instead of JSON. */
async function post(url: string, body: unknown): Promise<unknown> {
  for (let left = 2; ; left -= 1) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (response.status !== 429 || left === 0) return parsed(text, response.status);
    await sleep(1_000);
  }
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`it answers ${status} ${text.slice(0, 80)}`, { cause });
  }
}
