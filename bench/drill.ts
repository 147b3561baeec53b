import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { generatePrivateKey, type HDAccount, privateKeyToAddress } from "viem/accounts";
import { formatUnits } from "viem/utils";
import * as z from "zod";
import { type Market, openMarket } from "../client/index.ts";
import { systemClock } from "../core/adapter/system.ts";
import { type Address, lower } from "../core/chain/hex.ts";
import type { MethodName } from "../core/payment/schema.ts";
import { poll } from "../core/port/clock.ts";
import { type JobId, jobs } from "../functions/jobs.ts";
import { makePayingFetch } from "../local/demo/index.ts";
import { startKms } from "../local/kms.ts";
import { importHandler, invoke } from "../local/lambda.ts";
import { type Article, contractAddress, feedAndQuote, filings } from "../local/seed/articles.ts";
import { copyTable, restoreTable, type TableAddress } from "../tests/support/backup.ts";
import { openDevnetClient } from "../tests/support/devnet.ts";
import { type HttpClient, makeHttpClient } from "../tests/support/http-payer.ts";
import { listTransfers } from "../tests/support/ledger.ts";
import { getTestAccount } from "../tests/support/payment.ts";
import { startTestService, type TestService } from "../tests/support/service.ts";
import { fund, makeAccount } from "../tests/support/wallets.ts";

/** The price of each press in USDG base units. */
const price = 250_000n;
const [publisher, tableName] = [getTestAccount(4), "market"];

type DrillPress = { readonly pressId: number; readonly slug: string };
type DrillWorld = {
  readonly service: TestService;
  readonly http: HttpClient;
  readonly client: ReturnType<typeof openDevnetClient>;
};

/** The result of a requested sweep, and the address to which the ETH went. */
export type SweepRow = {
  readonly asked: string;
  readonly said: string;
  readonly moved: boolean;
};

/** The payments that a reader had made before the table was lost, and their outcomes. */
export type DrillRow = {
  readonly reader: string;
  /** Whether the payment is in the copy of the table. */
  readonly paid: "before the copy" | "after it" | "one leg on each side";
  /** Whether the reader can read the press, before and after the repair of the restored table. */
  readonly restored: boolean;
  readonly mended: boolean;
  /**
   * What the reader had been charged in USDG base units: `charged` until the loss of the table, `chargedInTheEnd` until the end of the
   * drill.
   */
  readonly charged: bigint;
  readonly chargedInTheEnd: bigint;
};
export type Drill = {
  readonly rows: readonly DrillRow[];
  /** The repair's reports: `tried` of the dry run, `done` of the real runs, and `repeated` of one more run. */
  readonly tried: readonly string[];
  readonly done: readonly string[];
  readonly repeated: readonly string[];
  readonly sweeps: readonly SweepRow[];
  readonly seconds: { readonly restore: number; readonly repair: number };
};

/**
 * A restore drill on the whole service: copy the table, make payments and a mint after the copy, lose the table, restore the copy, repair
 * the table from the chain, and let every reader visit again.
 */
export async function runDrill(): Promise<Drill> {
  // A KMS key that the stage's settings have retired, and that still owns ETH.
  await using retired = await startRetiredKey();
  await using service = await startTestService({ environment: retired.environment });
  const http = makeHttpClient(service.origin);
  const world: DrillWorld = { service, http, client: openDevnetClient(service.rpcUrl) };
  const endpoint = service.endpoints.database;
  const place: TableAddress = { client: new DynamoDBClient({ endpoint }), endpoint, name: tableName };
  const desk = openMarket({ origin: service.origin, account: publisher });
  const mint = async (article: Article) => {
    const { id, metaUrl } = await makeApprovedPress(desk, article);
    return desk.mint(id, metaUrl);
  };
  const [first, second] = [await mint(filings), await mint(contractAddress)];
  const late = await makeApprovedPress(desk, feedAndQuote);

  const early = await makeReader(world);
  await buy(world, early, first, "permit2");
  const halfway = await makeReader(world);
  await payLeg(world, halfway, first, "treasury");
  const [byPermit, withoutEth, feeOnly] = [
    await makeReader(world),
    await makeReader(world),
    await makeReader(world),
  ];
  const crowd = [await makeReader(world), await makeReader(world), await makeReader(world)];

  const copy = await copyTable(place);
  const since = new Date((await readChainTime(world)) * 1000).toISOString();
  await payLeg(world, halfway, first, "publisher");
  await buy(world, byPermit, second, "permit2");
  await buy(world, withoutEth, second, "eip3009");
  await payLeg(world, feeOnly, second, "treasury");
  await Promise.all(crowd.map((account) => buy(world, account, first, "permit2")));
  const minted = await desk.mint(late.id, late.metaUrl);
  const buyer = await makeReader(world);
  await buy(world, buyer, minted, "permit2");

  const cast = [
    { reader: "had paid and read", account: early, press: first, paid: "before the copy" },
    {
      reader: "fee before the copy, publisher after it",
      account: halfway,
      press: first,
      paid: "one leg on each side",
    },
    { reader: "by Permit2", account: byPermit, press: second, paid: "after it" },
    { reader: "by EIP-3009", account: withoutEth, press: second, paid: "after it" },
    ...crowd.map((account, index) => ({
      reader: `in a crowd, ${index + 1}`,
      account,
      press: first,
      paid: "after it" as const,
    })),
    { reader: "a press minted after the copy", account: buyer, press: minted, paid: "after it" },
    { reader: "fee alone, publisher after the repair", account: feeOnly, press: second, paid: "after it" },
  ] as const;
  const before = await Promise.all(cast.map(({ account }) => sumCharges(world, account)));

  const restore = await measureTime(() => restoreTable(place, copy));
  const restored = await Promise.all(cast.map((one) => canRead(world, one)));
  const tried = await runRepair({ since });
  const mending = await measureTime(async () => {
    const done: string[] = [];
    // The queue's worker confirms the mint. Payments for a press are possible only after its mint.
    const isWhole = await poll(systemClock, { tries: 60, pauseMs: 250 }, async () => {
      const said = await runRepair({ since, write: true });
      done.push(...said.filter((line) => /^(ordered|recorded)/.test(line)));
      return said.some((line) => /^(ordered|LEFT)/.test(line)) ? undefined : true;
    });
    if (isWhole === undefined) throw new Error("The repair is still incomplete after many runs.");
    return done;
  });
  const repeated = await runRepair({ since, write: true });
  const mended = await Promise.all(cast.map((one) => canRead(world, one)));
  await payLeg(world, feeOnly, second, "publisher");
  const after = await Promise.all(cast.map(({ account }) => sumCharges(world, account)));
  const sweeps = await trySweepRequests(world, retired.address);
  place.client.destroy();
  return {
    rows: cast.map(({ reader, paid }, index) => ({
      reader,
      paid,
      restored: restored[index] === true,
      mended: mended[index] === true,
      charged: before[index] ?? 0n,
      chargedInTheEnd: after[index] ?? 0n,
    })),
    tried,
    done: mending.value,
    repeated,
    sweeps,
    seconds: { restore: restore.seconds, repair: mending.seconds },
  };
}

const Detail = z.object({ unlocked: z.boolean(), body: z.string().nullable() });
const Said = z.object({ table: z.array(z.string()) });

/** Saves a draft and requests its audit. Throws MarketError with the refusal. */
export async function makeApprovedPress(market: Market, article: Article) {
  const { id } = await market.save({ ...article, priceUsdg: 0.25, publisherName: "The Desk" });
  const { metaUrl } = await market.runAudit(id);
  return { id, metaUrl };
}

async function makeReader(world: DrillWorld): Promise<HDAccount> {
  const account = makeAccount();
  await fund(world, account);
  return account;
}

async function buy(
  world: DrillWorld,
  account: HDAccount,
  press: DrillPress,
  method: MethodName,
): Promise<void> {
  for (const leg of ["treasury", "publisher"] as const) await payLeg(world, account, press, leg, method);
}

/** Makes one of the two payments as the official client does, by signing the first entry of the payment terms. */
async function payLeg(
  { service }: DrillWorld,
  account: HDAccount,
  { pressId }: DrillPress,
  leg: "treasury" | "publisher",
  method: MethodName = "permit2",
): Promise<void> {
  const answer = await makePayingFetch(account)(`${service.origin}/api/pay/${leg}?method=${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pressId }),
  });
  if (answer.status !== 200) throw new Error(`The service answered the ${leg} leg: ${await answer.text()}`);
}

/** Whether the signed-in reader gets the press's text. Asking for the text never costs money. */
async function canRead(
  { http }: DrillWorld,
  { account, press }: { readonly account: HDAccount; readonly press: DrillPress },
): Promise<boolean> {
  const cookie = await http.signIn(account);
  const { status, body } = await http.ask(`/api/presses/${press.slug}`, { cookie });
  if (status === 404) return false;
  const { unlocked, body: text } = Detail.parse(body);
  return unlocked && text !== null;
}

async function sumCharges({ client }: DrillWorld, { address }: HDAccount): Promise<bigint> {
  const moved = await listTransfers({ client }, { from: lower(address) });
  return moved.reduce((sum, { value }) => sum + value, 0n);
}

function runRepair(order: { readonly since: string; readonly write?: boolean }): Promise<readonly string[]> {
  return runJob("repair", order);
}

async function runJob(id: JobId, order: object): Promise<readonly string[]> {
  const row = jobs.find((one) => one.id === id);
  if (row === undefined) throw new Error(`jobs.ts has no ${id}`);
  return Said.parse(await invoke(row, importHandler, randomUUID(), order)).table;
}

/** The accounts that approve sweeps and the account that receives the swept ETH, as in a stage's reviewed settings. */
const [one, other, stranger, safe] = [
  getTestAccount(1),
  getTestAccount(2),
  getTestAccount(3),
  getTestAccount(5),
];

async function startRetiredKey() {
  const key = { id: "retired", privateKey: generatePrivateKey() } as const;
  const { endpoint, stop } = await startKms({ keys: [key] });
  const environment = {
    AWS_ENDPOINT_URL_KMS: endpoint,
    SWEEP_KEY_IDS: key.id,
    SWEEP_TO: safe.address,
    SWEEP_APPROVERS: `${one.address},${other.address}`,
    SWEEP_APPROVALS: "2",
  };
  const address = lower(privateKeyToAddress(key.privateKey));
  return { address, environment, [Symbol.asyncDispose]: stop };
}

/** Requests the sweep of the retired key's ETH several times: first as a thief would try it, and then two times as an operator does it. */
async function trySweepRequests(world: DrillWorld, relayer: Address): Promise<readonly SweepRow[]> {
  const { client } = world;
  await client.setBalance({ address: relayer, value: 10n ** 18n });
  const until = new Date((await readChainTime(world)) * 1000 + 3_600_000).toISOString();
  const [said = ""] = await runJob("relayer-sweep", { relayer, until });
  const statement = said.replace("statement to sign: ", "");
  const signApproval = (who: HDAccount, message = statement) => who.signMessage({ message });
  const elsewhere = statement.replace(lower(safe.address), lower(stranger.address));
  const asked: readonly (readonly [string, object])[] = [
    ["without an approval", {}],
    ["by one person", { approvals: [await signApproval(one)] }],
    ["by one person, twice", { approvals: [await signApproval(one), await signApproval(one)] }],
    [
      "approved by one operator and a stranger",
      { approvals: [await signApproval(one), await signApproval(stranger)] },
    ],
    [
      "to another address",
      { approvals: [await signApproval(one, elsewhere), await signApproval(other, elsewhere)] },
    ],
    [
      "of a key that is in use",
      {
        relayer: lower(getTestAccount(10).address),
        approvals: [await signApproval(one), await signApproval(other)],
      },
    ],
    [
      "with old approvals",
      { until: "2026-01-01T00:00:00Z", approvals: [await signApproval(one), await signApproval(other)] },
    ],
    ["by two people", { approvals: [await signApproval(one), await signApproval(other)] }],
    ["again", { approvals: [await signApproval(one), await signApproval(other)] }],
  ];
  const rows: SweepRow[] = [];
  for (const [what, change] of asked) {
    const before = await client.getBalance({ address: safe.address });
    const lines = await runJob("relayer-sweep", { relayer, until, ...change });
    const moved = (await client.getBalance({ address: safe.address })) > before;
    rows.push({ asked: what, said: lines.at(-1) ?? "", moved });
  }
  return rows;
}

async function readChainTime({ client }: DrillWorld): Promise<number> {
  return Number((await client.getBlock()).timestamp);
}

async function measureTime<Value>(work: () => Promise<Value>) {
  const began = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - began) / 1000 };
}

/**
 * Lists the readers who were not charged the price exactly once, or who cannot read the press for which they paid. The list is empty after
 * a successful drill.
 */
export function findHarmedReaders({ rows }: Drill): readonly DrillRow[] {
  return rows.filter(
    ({ charged, chargedInTheEnd, mended }) => chargedInTheEnd !== price || (charged === price && !mended),
  );
}

/** `npm run drill` prints the repair's report and each reader's outcome. The command exits with 1 if any reader is harmed. */
if (import.meta.main) {
  const ended = await runDrill();
  const formatYesNo = (reads: boolean) => (reads ? "yes" : "no");
  console.log("\nThe repair's dry run on the restored table:\n");
  console.log(ended.tried.join("\n"));
  console.log("\nDone:\n");
  console.log(ended.done.join("\n"));
  console.log("\nRepeated:\n");
  console.log(ended.repeated.join("\n"));
  console.table(
    ended.rows.map(({ reader, paid, restored, mended, charged, chargedInTheEnd }) => ({
      reader,
      paid,
      "reads from the copy": formatYesNo(restored),
      "reads after the repair": formatYesNo(mended),
      "USDG paid before": formatUnits(charged, 6),
      "USDG paid in the end": formatUnits(chargedInTheEnd, 6),
    })),
  );
  console.table(ended.sweeps);
  const { restore, repair: mending } = ended.seconds;
  console.log(`Restored in ${restore.toFixed(1)} s, repaired in ${mending.toFixed(1)} s.`);
  const harmed = findHarmedReaders(ended);
  for (const { reader } of harmed) console.log(`HARMED: ${reader}`);
  const sweptBadly = ended.sweeps.some(({ asked, moved }) => moved !== (asked === "by two people"));
  if (sweptBadly)
    console.log(
      "HARMED: a key that should keep its ETH was swept, or a key that should be swept was not swept",
    );
  if (harmed.length > 0 || sweptBadly) process.exitCode = 1;
}
