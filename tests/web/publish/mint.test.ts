import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RefusalCode } from "../../../core/mint/claim.ts";
import type { Confirmation } from "../../../web/src/api/publish.ts";
import { ApiProblem } from "../../../web/src/api/request.ts";
import {
  findStepState,
  type MintPorts,
  makeMint,
  readConfirmProblem,
  stepNames,
} from "../../../web/src/publish/mint/machine.ts";
import { WalletProblem } from "../../../web/src/wallet/state.ts";

const wallet = `0x${"a".repeat(40)}` as const;
const tx = `0x${"1".repeat(64)}` as const;
const minting = { id: 7, wallet, metaUrl: "https://news.example/api/meta/7" };
const key = `mint:${wallet}:7`;

const drawer = new Map<string, string>();
beforeEach(() => {
  drawer.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => drawer.get(name) ?? null,
    setItem: (name: string, value: string) => void drawer.set(name, value),
    removeItem: (name: string) => void drawer.delete(name),
  });
});
afterEach(() => void vi.unstubAllGlobals());

type ConfirmReply = Confirmation | Error;

function makeMintScene(answers: readonly ConfirmReply[], changes: Partial<MintPorts> = {}) {
  const left = [...answers];
  const told: string[] = [];
  const waited: number[] = [];
  let registered = 0;
  const ports: MintPorts = {
    confirm: async (_, hash) => {
      told.push(hash);
      // When the page asks the service to confirm the mint, everything that must survive a reload is already stored.
      expect(drawer.get(key)).toContain(hash);
      const answer = left.shift() ?? { state: "pending", after: 1 };
      if (answer instanceof Error) throw answer;
      return answer;
    },
    find: async () => wallet.toUpperCase().replace("0X", "0x"),
    enterChain: async () => undefined,
    register: async (metaUrl) => {
      expect(metaUrl).toBe(minting.metaUrl);
      registered += 1;
      return tx;
    },
    wait: async (milliseconds) => void waited.push(milliseconds),
    ...changes,
  };
  return { ports, told, waited, registered: () => registered };
}

const live: Confirmation = { state: "live", slug: "a-press-7", pressId: 3 };
const makeRefusal = (code: string, status = 400) => new ApiProblem("refused", "Why.", { status, code });

/** Waits until a mint reaches the given phase. */
async function waitForPhase(mint: ReturnType<typeof makeMint>, name: string) {
  await expect.poll(() => mint.phase().name).toBe(name);
  return mint.phase();
}

test("if the service does not answer or has no capacity, the page delays the mint, and sends no transaction twice", async () => {
  const unreachable = new ApiProblem("unreachable", "No answer.");
  const busy = new ApiProblem("refused", "Busy.", { status: 503, code: "queue_unavailable", retryAfter: 9 });
  const { ports, waited, registered } = makeMintScene([unreachable, unreachable, busy, live]);
  const mint = makeMint(minting, ports);
  void mint.begin();
  await waitForPhase(mint, "live");
  expect(waited).toEqual([2_000, 4_000, 9_000]);
  expect(registered()).toBe(1);
});

test("only the session's wallet is asked to send a mint transaction", async () => {
  const other = `0x${"b".repeat(40)}`;
  let connected = other;
  const { ports, registered } = makeMintScene([live], { find: async () => connected });
  const mint = makeMint(minting, ports);
  void mint.begin();
  expect(await waitForPhase(mint, "connect")).toEqual({ name: "connect", other });
  expect(registered()).toBe(0);
  connected = wallet;
  void mint.begin();
  await waitForPhase(mint, "live");
});

test("the page does not ask a wallet to send a transaction if the wallet falsely claims to have switched the network", async () => {
  let switched = false;
  const { ports, registered } = makeMintScene([live], {
    enterChain: async () => {
      if (!switched) throw new WalletProblem("network", "It is on another network.");
    },
  });
  const mint = makeMint(minting, ports);
  void mint.begin();
  const stopped = await waitForPhase(mint, "stopped");
  expect(stopped).toMatchObject({ problem: { code: "network" } });
  expect(findStepState("network", stopped)).toBe("failed");
  expect(registered()).toBe(0);
  switched = true;
  void mint.retry();
  await waitForPhase(mint, "live");
});

describe("the page explains why the service has refused a mint", () => {
  test.each([...RefusalCode.values])("the page has a specific text for the refusal %s", (code) => {
    const problem = readConfirmProblem(makeRefusal(code));
    expect(["refused", "unavailable"]).not.toContain(problem.code);
  });

  test.each([
    "transaction_failed",
    "wrong_sender",
    "no_identity_minted",
    "wrong_identity_uri",
    "transaction_already_used",
  ])(
    "after the refusal %s, the mint needs a new transaction, and the browser deletes the old transaction",
    async (code) => {
      const { ports, registered } = makeMintScene([makeRefusal(code), live]);
      const mint = makeMint(minting, ports);
      void mint.begin();
      await waitForPhase(mint, "stopped");
      expect(drawer.has(key)).toBe(false);
      void mint.retry();
      await waitForPhase(mint, "live");
      expect(registered()).toBe(2);
    },
  );

  test.each([
    ["not_approved", 409],
    ["transaction_not_found", 400],
    ["confirmation_timed_out", 503],
    ["sign_in_required", 401],
  ])(
    "after the refusal %s, the browser keeps the mint transaction, and a retry asks the service to confirm the transaction again",
    async (code, status) => {
      const { ports, registered } = makeMintScene([makeRefusal(code, status), live]);
      const mint = makeMint(minting, ports);
      void mint.begin();
      const stopped = await waitForPhase(mint, "stopped");
      expect(findStepState("confirm", stopped)).toBe("failed");
      expect(drawer.get(key)).toContain(tx);
      void mint.retry();
      await waitForPhase(mint, "live");
      expect(registered()).toBe(1);
    },
  );
});

test("a publisher can enter the hash of a mint transaction that was sent elsewhere", async () => {
  const other = `0x${"2".repeat(64)}` as const;
  const { ports, told, registered } = makeMintScene([live]);
  const mint = makeMint(minting, ports);
  void mint.confirm(other);
  await waitForPhase(mint, "live");
  expect(told).toEqual([other]);
  expect(registered()).toBe(0);
});

test("the page shows a warning if the browser cannot store the mint transaction", async () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem: () => {
      throw new DOMException("No room.", "QuotaExceededError");
    },
    removeItem: () => undefined,
  });
  const { ports } = makeMintScene([], { confirm: async () => live });
  const mint = makeMint(minting, ports);
  void mint.begin();
  await waitForPhase(mint, "live");
  expect(mint.isKept()).toBe(false);
});

test("the list shows one active step of the mint at a time, and the earlier steps as done", () => {
  const listStates = (phase: Parameters<typeof findStepState>[1]) =>
    stepNames.map((name) => findStepState(name, phase));
  expect(listStates({ name: "idle" })).toEqual(["current", "waiting", "waiting", "waiting", "waiting"]);
  expect(listStates({ name: "register" })).toEqual(["done", "done", "busy", "waiting", "waiting"]);
  expect(listStates({ name: "pause", tx, asked: 1, after: 2 })).toEqual([
    "done",
    "done",
    "done",
    "busy",
    "waiting",
  ]);
  expect(listStates({ name: "live", slug: "a" })).toEqual(["done", "done", "done", "done", "done"]);
});
