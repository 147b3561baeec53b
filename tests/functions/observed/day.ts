import { encodeFunctionData } from "viem/utils";
import { vi } from "vitest";
import { systemClock, systemIds } from "../../../core/adapter/system.ts";
import { erc20Abi } from "../../../core/chain/abi.ts";
import { lower } from "../../../core/chain/hex.ts";
import { reconcile, watch } from "../../../functions/job/payment.ts";
import * as runtime from "../../../functions/lib/runtime.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import {
  approve,
  encodeVote,
  permit2,
  register,
  reputationRegistry,
  send,
  usdg,
} from "../../support/payment.ts";
import type { ObservedService } from "./house.ts";
import { publish, savePress } from "./press.ts";
import { type Answer, makeRecordingVisitor } from "./visitor.ts";

const modelDown = { status: 400, type: "ValidationException", message: "The model is not to be had." };
const call = { awsRequestId: "clock-1" };

/**
 * Runs every activity of the service once, and causes one failure of each kind. Returns the activities' results, keyed by the activities'
 * names, and the secrets that were sent.
 */
export async function runEveryActivity(service: ObservedService) {
  const [publisher, reader, poor] = [getTestAccount(4), getTestAccount(7), getTestAccount(8)];
  const desk = makeRecordingVisitor(service.origin, publisher);
  const payer = makeRecordingVisitor(service.origin, reader);
  const other = makeRecordingVisitor(service.origin, poor);
  const answers = new Map<string, Answer>();
  const { MODEL_DAILY_USD: dailyUsd } = process.env;
  const note = async (name: string, answer: Promise<Answer>) => {
    answers.set(name, await answer);
  };

  vi.spyOn(systemIds, "nonce").mockImplementationOnce(() => {
    throw new TypeError("A defect of ours");
  });
  await note("defect", desk.ask("/api/auth/nonce", { address: publisher.address }));
  await note(
    "wrong signature",
    desk.signIn((message) => poor.signMessage({ message })),
  );
  await note("sign-in", desk.signIn());
  const order = { stock: "AAPL", angleId: "price" };
  await note("generate", desk.ask("/api/draft/generate", order));
  const id = await savePress(desk);
  service.failModel(modelDown);
  await note("model down, generate", desk.ask("/api/draft/generate", order));
  await note("model down, audit", desk.ask("/api/press/audit", { id }));
  service.failModel(undefined);
  const { txHash: stray } = await register(service, publisher, "https://elsewhere.example");
  vi.stubEnv("MODEL_DAILY_USD", "0.000001,0.000001,1000,1000");
  await note("model spent, audit", desk.ask("/api/press/audit", { id }));
  vi.stubEnv("MODEL_DAILY_USD", dailyUsd);
  const live = await publish(desk, id, async (metaUrl) => {
    await note("stray mint", desk.ask("/api/press/minted", { id, txHash: stray }));
    return (await register(service, publisher, metaUrl)).txHash;
  });
  const { pressId } = live;
  // Waits for the auditor's transaction, so that the failures below do not affect the transaction.
  const wait = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 60_000 });
  await wait(() => service.output.listMeasurements().some(({ name }) => name === "VerdictPosted"));
  await wait(() => service.output.listLines().some((line) => line.function === "press-push"));

  await approve(service, reader);
  await note("no payment", payer.ask("/api/pay/treasury", { pressId }));
  await note(
    "spoilt header",
    payer.pay("treasury", pressId, (header) => header.slice(0, -40)),
  );
  await note("fee", payer.pay("treasury", pressId));
  service.node.meddle(async (calls) => {
    if (!calls.some(({ method }) => method.startsWith("eth_sendRawTransaction"))) return;
    service.node.meddle(undefined);
    const args = [permit2, 0n] as const;
    const revoke = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args });
    await send(service, reader, usdg, revoke);
  });
  await note("reverted", payer.pay("publisher", pressId));
  await approve(service, reader);
  await note("publisher", payer.pay("publisher", pressId));
  await note("again", payer.pay("publisher", pressId));
  await note("history", payer.ask("/api/me/history"));
  await note("purchases", payer.ask("/api/me/purchases"));
  const vote = await send(service, reader, reputationRegistry, encodeVote(pressId));
  await note("vote", payer.ask("/api/votes/record", { txHash: vote.transactionHash }));
  await note("relay", payer.ask("/api/rpc", { jsonrpc: "2.0", id: 1, method: "eth_gasPrice", params: [] }));

  await approve(service, poor);
  await setRelayerLeases(true);
  const waiting = vi.spyOn(systemClock, "sleep").mockResolvedValue();
  await note("relayers busy", other.pay("treasury", pressId));
  waiting.mockRestore();
  await setRelayerLeases(false);
  const unsent = other.pay("treasury", pressId, (header) => {
    service.node.meddle((calls) =>
      calls.some(({ method }) => method.startsWith("eth_send")) ? "down" : undefined,
    );
    return header;
  });
  await note("pending", unsent);
  service.node.meddle(() => "down");
  await note("chain down", payer.ask("/api/pay/publisher", { pressId }));
  await watch({}, call);
  await reconcile({}, call);
  service.node.meddle(undefined);
  await watch({}, call);
  service.failTable(true);
  await note("table down", payer.ask("/api/presses"));
  service.failTable(false);

  return {
    answers,
    live: { ...live, id },
    secrets: new Map([...desk.secrets, ...payer.secrets, ...other.secrets]),
  };
}

async function setRelayerLeases(areLeased: boolean): Promise<void> {
  const until = Date.now() + 60_000;
  const { relayer } = runtime.table().entities;
  for (const address of await runtime.relayers().addresses()) {
    const { data } = await relayer.get({ address: lower(address) }).go();
    const item = { address, nextNonce: data?.nextNonce ?? 0 };
    await relayer.put(areLeased ? { ...item, lease: "held", leaseUntil: until } : item).go();
  }
}
