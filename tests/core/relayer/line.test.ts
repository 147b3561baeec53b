import { beforeEach, expect, test } from "vitest";
import { mnemonicSigner } from "../../../core/adapter/mnemonic.ts";
import { systemIds } from "../../../core/adapter/system.ts";
import {
  announceEnd,
  type Landing,
  passScout,
  type Turn,
  untilEnded,
  waitInLine,
} from "../../../core/relayer/line.ts";
import { platformMnemonic } from "../../../local/devnet/accounts.ts";

/** Nobody here wakes by time: whoever is not rung for sleeps for ever. */
const clock = { now: () => 0, sleep: () => new Promise<void>(() => undefined) };
const news: Landing = {
  transaction: {
    id: "a-lease",
    relayer: "0x1",
    state: "landed",
    nonce: 0,
    rawTx: "0x",
    hashes: ["0x2"],
    legs: [],
    expiresAt: 1,
  },
  receipt: { transactionHash: "0x2", status: "0x1", from: "0x1", blockNumber: 1n, gasUsed: 1n, logs: [] },
};

let ports: Parameters<typeof passScout>[0] & Parameters<typeof waitInLine>[0];
/** Claims in the order in which they have looked for a key. */
let looks: string[];
beforeEach(() => {
  ports = { clock, ids: systemIds, relayers: mnemonicSigner(platformMnemonic, 1) };
  looks = [];
});

/** Waits as a payment does. The line has no free key, but for who is given what `sends` by it. */
function wait(claim: string, sends?: () => void): Promise<string | undefined> {
  const send = async () => {
    sends?.();
    return "sent";
  };
  const turn: Turn<string> = { kind: "waits", takeKey: async () => (sends ? send : undefined) };
  return waitInLine(
    ports,
    claim,
    async () => {
      looks.push(claim);
      return turn;
    },
    async () => "told",
  );
}

const alone = () => undefined;

test("where the scout and the next one are taken along, one of those who are left looks for a key", async () => {
  const first = wait("first");
  const second = wait("second");
  const third = wait("third", alone);
  announceEnd(ports, ["first", "second"], news);
  expect(await Promise.all([first, second, third])).toEqual(["told", "told", "sent"]);
  expect(looks).toEqual(["third"]);
});

test("a scout that sends makes the first of those a scout whom it has not taken along", async () => {
  const first = wait("first", () => passScout(ports, "first", new Set(["second"])));
  void wait("second", alone);
  const third = wait("third", alone);
  announceEnd(ports, []);
  expect(await Promise.all([first, third])).toEqual(["sent", "sent"]);
  expect(looks.slice(0, 2)).toEqual(["first", "third"]);
});

test("an end that is told while somebody learns that it was taken is heard by who follows", async () => {
  const taken: Turn<Landing | undefined> = {
    kind: "taken",
    follow: () => untilEnded(ports, "first", 1_000),
  };
  const first = waitInLine(
    ports,
    "first",
    async () => {
      announceEnd(ports, ["first"], news);
      return taken;
    },
    async () => undefined,
  );
  announceEnd(ports, []);
  expect(await first).toBe(news);
});
