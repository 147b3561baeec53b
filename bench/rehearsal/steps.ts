import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { KMSClient } from "@aws-sdk/client-kms";
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { keccak256, recoverAddress, stringToHex } from "viem/utils";
import * as z from "zod";
import { makeKmsSigner, makeKmsStatements } from "../../core/adapter/kms.ts";
import type { Address, Hex } from "../../core/chain/hex.ts";
import { appName } from "../../infra/stages.ts";
import { startKms } from "../../local/kms.ts";
import { type AwsAccount, findStack, listOrphans } from "./aws/account.ts";
import { administratorAsks, deployerAsks } from "./deployer.ts";
import {
  bootstrapByHand,
  type Checkout,
  type CommandEnd,
  openStage,
  type Shell,
  type StackId,
  signer,
  stackIds,
  type Version,
} from "./stage.ts";

export type StepContext = {
  readonly account: AwsAccount;
  readonly checkout: Checkout;
  readonly shell: Shell;
  readonly stage: string;
  readonly endpoint: string;
  readonly isShort: boolean;
};

type PlannedStep = {
  readonly name: string;
  /** Returns a text that says what the step has observed. Throws an error that says what is wrong. */
  readonly run: () => Promise<string>;
  /**
   * Whether the step takes minutes. `npm test` skips a step that takes minutes. A separate CI job runs all steps, including the long steps.
   */
  readonly isLong?: boolean;
};

/** Resources that are created late in their stacks, and the failures that their services report. */
const lateFailures = {
  storage: { type: "AWS::DynamoDB::Table", reason: "Subscriber limit exceeded" },
  web: { type: "AWS::CloudFront::Distribution", reason: "Your account must be verified" },
  audit: { type: "AWS::StepFunctions::StateMachine", reason: "The log destination is not accessible" },
  jobs: { type: "AWS::Lambda::EventSourceMapping", reason: "Rate exceeded" },
  reading: { type: "AWS::ApiGatewayV2::Route", reason: "Too Many Requests" },
  api: { type: "AWS::ApiGatewayV2::Stage", reason: "Insufficient permissions to enable logging" },
  watch: { type: "AWS::CloudWatch::Dashboard", reason: "Rate exceeded" },
} as const;

/** The steps of a rehearsal in order. Each step needs the results of the earlier steps. */
export function listSteps(context: StepContext): readonly PlannedStep[] {
  const { account, checkout, shell, isShort } = context;
  const stage = openStage(account, checkout, shell, context.stage);
  const isKept = checkout.settings.removal === "retain";
  // The auditor, the receipts and the notifications have one key each, in addition to the relayers' keys.
  const keys = checkout.settings.relayers + 3;
  const countStorageKeys = () =>
    stage.listResources("storage").filter(({ type }) => type === "AWS::KMS::Key").length;

  const requireStatus = (status: string, ...ids: readonly StackId[]) => {
    for (const id of ids) checkResult(stage.readStatus(id) === status, `${id} is ${stage.readStatus(id)}`);
  };

  let before: StageIdentity | undefined;
  const deletions = [...stackIds].reverse();

  const deploysWell = async (version: Version, isRebuilt = false) => {
    stage.takeHistory();
    const ended = await stage.run("deploy", version, { isRebuilt });
    requireSuccess(ended);
    return stage.takeHistory().join(", ");
  };

  const failsAtFirst = (...ids: readonly StackId[]): PlannedStep => ({
    name: `a first deployment fails in ${new Intl.ListFormat("en").format(ids)}`,
    async run() {
      const failures = Object.fromEntries(ids.map((id) => [id, lateFailures[id]]));
      const ended = await stage.runWithFailures(failures, () => stage.run("deploy", "first"));
      for (const id of ids) requireFailure(ended, new RegExp(lateFailures[id].reason));
      requireStatus("ROLLBACK_COMPLETE", ...ids);
      checkResult(listOrphans(account).length === 0, `it left behind ${describeOrphans(account)}`);
      return `exit ${ended.code}, nothing left behind`;
    },
  });

  const steps: readonly PlannedStep[] = [
    {
      name: "deploy without credentials",
      isLong: true,
      async run() {
        const ended = await stage.run("deploy", "first", { variables: {} });
        requireFailure(ended, /credentials/);
        checkResult(account.requests === 0, `it made ${account.requests} requests`);
        return `exit ${ended.code}: ${readLastLine(ended)}`;
      },
    },
    {
      name: "sst deploy, diff, remove and bootstrap without credentials",
      isLong: true,
      async run() {
        for (const command of ["deploy", "diff", "remove", "bootstrap"]) {
          const ended = await stage.sst(command, {});
          requireFailure(ended, /credentials/);
        }
        return "each ends with an error";
      },
    },
    {
      name: "sst deploy with credentials and no network",
      isLong: true,
      async run() {
        // This command runs without the network guard, but its DNS lookup fails, because no resolver knows a name that ends in `.invalid`
        // (RFC 6761).
        const nowhere = { AWS_ENDPOINT_URL: "http://aws.invalid", NODE_OPTIONS: "" };
        const running = shell.startCommand(["npx", "sst", "deploy", "--stage", context.stage], {
          ...signer,
          ...nowhere,
        });
        const isOver = await Promise.race([setTimeout(30_000, false), running.ended.then(() => true)]);
        if (!isOver) running.interrupt();
        const ended = await running.ended;
        checkResult(
          /aws\.invalid has no address.*Nothing was changed/.test(ended.output),
          "it does not say",
          ended,
        );
        return "within 30 s it says for whom it waits";
      },
    },
    {
      name: "deploy with credentials that AWS does not know",
      isLong: true,
      async run() {
        const ended = await stage.run("deploy", "first");
        requireFailure(ended, /token/);
        return `exit ${ended.code}: ${readLastLine(ended)}`;
      },
    },
    { name: "the zone and the nodes' secret, made by hand", run: () => prepareAccount(context) },
    ...(isShort ? [{ name: "CDK's bootstrap stack", run: () => bootstrapByHand(account) }] : []),
    {
      name: "a first deployment under a domain without a first stage",
      isLong: true,
      async run() {
        if (!isKept) return "the stage keeps nothing";
        const ended = await stage.run("deploy", "first", { words: [] });
        requireFailure(ended, /--new-table/);
        return `exit ${ended.code}, nothing made`;
      },
    },
    { ...failsAtFirst("storage", "web"), isLong: true },
    // The stacks `audit`, `jobs` and `reading` wait for `storage` and `web` but not for each other, so all three fail in the same attempt.
    { ...failsAtFirst("audit", "jobs", "reading"), isLong: true },
    { ...failsAtFirst("api"), isLong: true },
    { ...failsAtFirst("watch"), isLong: true },
    {
      name: isShort ? "the first deployment" : "the first deployment, repeated",
      async run() {
        await deploysWell("first");
        requireStatus("CREATE_COMPLETE", ...stackIds);
        return stackIds.map((id) => `${id}: ${stage.listResources(id).length} resources`).join(", ");
      },
    },
    {
      name: "the bootstrap that the first deployment made",
      async run() {
        const [, functions] = ["CDKToolkit", "SSTBootstrap"].map((name) => {
          const stack = findStack(account, name);
          checkResult(stack?.status === "CREATE_COMPLETE", `${name} is ${stack?.status}`);
          return [...(stack?.resources.values() ?? [])].filter(({ type }) => /Function/.test(type)).length;
        });
        checkResult(
          functions === 0,
          `SSTBootstrap has ${functions} functions, and this project cannot choose their runtime`,
        );
        return "the stacks CDKToolkit and SSTBootstrap, which have no functions";
      },
    },
    { name: "the secrets that functions read at run time", run: () => readSecrets(context) },
    {
      name: "the same version, built and deployed again",
      isLong: true,
      async run() {
        const changed = await deploysWell("first", true);
        checkResult(changed === "", `it changed ${changed}`);
        return "no stack changed";
      },
    },
    {
      name: "sst diff",
      isLong: true,
      async run() {
        const ended = await stage.sst("diff");
        requireSuccess(ended, /No changes/);
        return "no changes";
      },
    },
    {
      name: "a change: one more relayer, another limit",
      isLong: true,
      async run() {
        const changed = await deploysWell("second");
        checkResult(countStorageKeys() === keys + 1, `storage has ${countStorageKeys()} keys`);
        return changed;
      },
    },
    {
      name: "a change during which an alarm of payments goes off",
      isLong: true,
      async run() {
        if (checkout.settings.alarms === undefined) return "the stage has no alarms";
        const alarm = `${context.stage}-${appName}-watch-settlements-failing`;
        account.alarming.add(alarm);
        const ended = await stage.runWithFailures({}, () => stage.run("deploy", "third"));
        account.alarming.clear();
        requireFailure(ended);
        requireStatus("UPDATE_ROLLBACK_COMPLETE", "storage");
        checkResult(countStorageKeys() === keys + 1, `storage has ${countStorageKeys()} keys`);
        return `exit ${ended.code}, storage as it was; watched: ${describeRollbackTriggers(account)}`;
      },
    },
    {
      name: "a new version of payments whose canary fails",
      isLong: true,
      async run() {
        if (!checkout.settings.canary) return "the stage has no canary";
        account.isCanaryBroken = true;
        const ended = await stage.runWithFailures({}, () => stage.run("deploy", "third"));
        account.isCanaryBroken = false;
        requireFailure(ended, /alarms of its deployment group/);
        requireStatus("UPDATE_ROLLBACK_COMPLETE", "api");
        await deploysWell("second");
        return "the earlier version serves again";
      },
    },
    {
      name: "a change that fails, then the earlier version",
      isLong: true,
      async run() {
        const failures = { storage: { type: "AWS::KMS::Key", reason: "Quota exceeded" } };
        const ended = await stage.runWithFailures(failures, () => stage.run("deploy", "third"));
        requireFailure(ended, /Quota exceeded/);
        checkResult(countStorageKeys() === keys + 1, `storage has ${countStorageKeys()} keys`);
        const status = stage.readStatus("storage");
        await deploysWell("second");
        return `exit ${ended.code}, storage ${status}; the version before deploys`;
      },
    },
    {
      name: "a deployment that is interrupted, and repeated",
      isLong: true,
      async run() {
        account.operationMs = 8_000;
        const running = await stage.begin("deploy", "third");
        const isBusy = () => stackIds.some((id) => stage.readStatus(id).endsWith("_IN_PROGRESS"));
        const early = running.ended.then((ended) => checkResult(false, "it ended too early", ended));
        while (!isBusy()) await Promise.race([setTimeout(50), early]);
        early.catch(() => {});
        running.interrupt();
        await running.ended;
        account.operationMs = 500;
        const ended = await stage.run("deploy", "third");
        requireSuccess(ended, /waiting for its end/);
        checkResult(countStorageKeys() === keys + 2, `storage has ${countStorageKeys()} keys`);
        return stage.takeHistory().join(", ");
      },
    },
    {
      name: "a rollback to the first version",
      isLong: true,
      async run() {
        const changed = await deploysWell("first");
        checkResult(countStorageKeys() === keys, `storage has ${countStorageKeys()} keys`);
        return `${changed}; orphans: ${describeOrphans(account)}`;
      },
    },
    {
      name: "the first version again, without the exports that were in use",
      isLong: true,
      async run() {
        const changed = await deploysWell("first");
        checkResult(changed === "storage UPDATE_COMPLETE", `it changed ${changed}`);
        return changed;
      },
    },
    {
      name: "remove without confirmation, and by SST itself",
      async run() {
        const ended = await stage.run("remove", "first", { words: ["--yes-remove", "other"] });
        requireFailure(ended, /Nothing was removed/);
        if (isKept) {
          // SST and the AWS console delete a stack with the same request. Termination protection makes AWS refuse this request from every
          // user.
          const refused = deletions
            .map((id) => stage.tryDeleteStack(id))
            .filter((why) => !/TerminationProtection/.test(why));
          checkResult(refused.length === 0, `AWS would delete: ${refused.join(", ")}`);
        }
        for (const id of stackIds) checkResult(stage.readStatus(id) !== "nowhere", `${id} is gone`);
        return "nothing was removed";
      },
    },
    {
      name: "remove",
      async run() {
        if (isKept) before = await readIdentity(context);
        const ended = await stage.run("remove", "first", { isRebuilt: !isShort });
        const told = /^ {2}kept: (\{.*\}),$/m.exec(ended.output)?.[1];
        checkResult(isKept === (told !== undefined), "the remaining resources are not listed", ended);
        if (told !== undefined) checkout.takeBack(Kept.parse(JSON.parse(told)));
        requireSuccess(ended);
        requireStatus("nowhere", ...stackIds);
        const left = describeOrphans(account);
        checkResult(
          isKept ? /Key \d+, LogGroup \d+, Table 1$/.test(left) : left === "none",
          `it left behind ${left}`,
        );
        return `orphans: ${left}`;
      },
    },
    {
      name: "the stage again, with the table and the keys that it left",
      async run() {
        if (before === undefined) return "the stage keeps nothing";
        const ended = await stage.run("deploy", "again", { words: [], isRebuilt: !isShort });
        requireSuccess(ended);
        const { addresses, receipt, table } = await readIdentity(context);
        checkResult(
          isDeepStrictEqual(addresses, before.addresses),
          `other addresses sign: ${addresses.join(", ")}`,
        );
        checkResult(table === before.table, `it works on ${table}`);
        const signer = await recoverAddress({ hash: receipt.digest, signature: before.receipt.signature });
        checkResult(signer.toLowerCase() === receipt.signer, "an old receipt has another signer now");
        checkResult(countStorageKeys() === 0, `storage has ${countStorageKeys()} new keys`);
        return `${addresses.length} addresses sign as before, an old receipt verifies, ${table}`;
      },
    },
    {
      name: "a first deployment after another removal",
      isLong: true,
      async run() {
        if (isKept) {
          const removed = await stage.run("remove", "again", { isRebuilt: true });
          requireSuccess(removed);
        }
        await deploysWell("first");
        requireStatus("CREATE_COMPLETE", ...stackIds);
        return "all stacks stand";
      },
    },
    {
      name: "what was asked, and of whom",
      async run() {
        checkResult(
          account.templates.size > stackIds.length,
          `the validator saw ${account.templates.size} templates`,
        );
        checkResult(account.unsupported.length === 0, `not supported: ${account.unsupported.join("; ")}`);
        const known: readonly string[] = [...deployerAsks, ...administratorAsks];
        const further = [...account.asked].filter((one) => !known.includes(one));
        checkResult(further.length === 0, `rights that nobody is given: ${further.join("; ")}`);
        const contacts = [...new Set(shell.contacts())].join(", ");
        checkResult(contacts === "", `something wanted to reach ${contacts}`);
        return `${account.templates.size} templates accepted, ${account.requests} requests, none to another machine`;
      },
    },
  ];
  return steps.filter(({ isLong = false }) => !(isShort && isLong));
}

const Kept = z.object({
  table: z.string(),
  relayers: z.array(z.string()),
  auditor: z.string(),
  receipts: z.string(),
  pushes: z.string(),
});

/** The public identity of a stage: the addresses of its relayers and its auditor, a signed sample receipt, and the name of its table. */
type StageIdentity = {
  readonly addresses: readonly Address[];
  readonly receipt: { readonly signer: Address; readonly digest: Hex; readonly signature: Hex };
  readonly table: string;
};

/**
 * Reads the stage's addresses and signs a sample receipt, with the adapters that the deployed functions use. The functions' environment
 * variables say which of the account's keys are used.
 */
async function readIdentity({ account }: StepContext): Promise<StageIdentity> {
  const readVariable = (name: string) => {
    const values = account.stacks.flatMap(({ resources }) =>
      [...resources.values()].flatMap(({ properties: { Environment } }) => {
        const value: unknown = Object(Object(Environment).Variables)[name];
        return typeof value === "string" ? [value] : [];
      }),
    );
    const [value = "", ...others] = new Set(values);
    checkResult(
      value !== "" && others.length === 0,
      `functions differ in ${name}: ${[value, ...others].join(" ")}`,
    );
    return value;
  };
  const keys = [...account.keys].map(([id, privateKey]) => ({ id, privateKey }));
  const { endpoint, stop } = await startKms({ keys });
  const credentials = { accessKeyId: "none", secretAccessKey: "none" };
  const client = new KMSClient({ region: account.region, endpoint, credentials });
  try {
    const relayers = await makeKmsSigner(client, readVariable("RELAYER_KEY_IDS").split(",")).addresses();
    const auditor = await makeKmsSigner(client, [readVariable("AUDITOR_KEY_ID")]).addresses();
    const receipts = makeKmsStatements(client, readVariable("RECEIPT_KEY_ID"));
    const digest = keccak256(stringToHex("a receipt"));
    const receipt = { signer: await receipts.address(), digest, signature: await receipts.sign(digest) };
    return { addresses: [...relayers, ...auditor], receipt, table: readVariable("TABLE_NAME") };
  } finally {
    client.destroy();
    await stop();
  }
}

/**
 * Makes the secret that an operator must make before the first deployment. The secret is made with AWS's own client, as the documents
 * describe.
 */
async function prepareAccount(context: StepContext): Promise<string> {
  const { account, checkout } = context;
  account.signers.add(signer.AWS_ACCESS_KEY_ID);
  const { domain, chain } = checkout.settings;
  if (domain !== undefined) account.zones.set(domain.zoneId, { name: domain.zoneName, records: new Set() });
  if ("secretName" in chain.rpc) {
    const client = openSecrets(context);
    await client.send(
      new CreateSecretCommand({ Name: chain.rpc.secretName, SecretString: "https://node.test/key" }),
    );
    client.destroy();
  }
  return `zones: ${account.zones.size}, secrets: ${account.secrets.size}`;
}

function openSecrets({ checkout, endpoint }: StepContext): SecretsManagerClient {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = signer;
  const { region } = checkout.settings;
  return new SecretsManagerClient({ region, endpoint, credentials: { accessKeyId, secretAccessKey } });
}

/**
 * Uses AWS's own client to read the secret that each function's variables name, and checks that no variable contains the secret's value.
 */
async function readSecrets(context: StepContext): Promise<string> {
  const { account } = context;
  const client = openSecrets(context);
  const functions = account.stacks.flatMap(({ resources }) =>
    [...resources.values()].filter(({ type }) => type === "AWS::Lambda::Function"),
  );
  const variables = functions.flatMap(({ properties: { Environment } }) =>
    Object.entries(Object(Object(Environment).Variables)).map(
      ([name, value]) => [name, String(value)] as const,
    ),
  );
  const ids = variables.flatMap(([name, value]) => (/_SECRET(_IDS)?$/.test(name) ? value.split(",") : []));
  const values = await Promise.all(
    [...new Set(ids)].map(async (SecretId) => {
      const { SecretString = "" } = await client.send(new GetSecretValueCommand({ SecretId }));
      checkResult(SecretString !== "", `${SecretId} is empty`);
      return SecretString;
    }),
  );
  client.destroy();
  const told = variables.filter(([, text]) => values.some((value) => text.includes(value)));
  checkResult(values.length > 0, "no function names a secret");
  checkResult(told.length === 0, `${told.length} variables hold one`);
  return `${values.length} for ${functions.length} functions`;
}

/**
 * If `isRight` is false, throws an error. The error's message contains the value of `what`, and the end of the command's output if `ended`
 * is given.
 */
function checkResult(isRight: boolean, what: string, ended?: CommandEnd): void {
  if (isRight) return;
  throw new Error(
    ended === undefined ? what : `${what} (exit ${ended.code}):\n${ended.output.slice(-3_000)}`,
  );
}

function requireSuccess(ended: CommandEnd, pattern = /^/): void {
  checkResult(ended.code === 0 && pattern.test(ended.output), `it failed, or does not say ${pattern}`, ended);
}

function requireFailure(ended: CommandEnd, pattern = /^/): void {
  checkResult(
    ended.code !== 0 && pattern.test(ended.output),
    `it ended with 0, or does not say ${pattern}`,
    ended,
  );
}

/** The number of stacks with rollback triggers, and the triggers of these stacks. */
function describeRollbackTriggers({ stacks }: AwsAccount): string {
  const watched = stacks.flatMap(({ rollback: { triggers } }) =>
    triggers.length > 0 ? [triggers.length] : [],
  );
  return `${watched.length} stacks by ${watched[0] ?? 0} alarms`;
}

/** Describes the resources that were left behind, such as `Key 17, LogGroup 44, Table 1`. */
function describeOrphans(account: AwsAccount): string {
  const types = listOrphans(account).map(({ type }) => type.split("::").at(-1) ?? type);
  const counts = Map.groupBy(types.toSorted(), (type) => type);
  return [...counts].map(([type, { length }]) => `${type} ${length}`).join(", ") || "none";
}

function readLastLine({ output }: CommandEnd): string {
  return output.trim().split("\n").at(-1) ?? "";
}
