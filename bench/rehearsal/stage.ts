import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { missingAddress } from "../../infra/chains.ts";
import { appName, findSettings, listMissingSettings, type StageSettings } from "../../infra/stages.ts";
import { synthesizeOffline } from "../../infra/synth.ts";
import { type AwsAccount, findStack } from "./aws/account.ts";
import { actions, createStack } from "./aws/cloudformation.ts";
import { readTemplate, resolveParameters } from "./aws/template.ts";

/** Versions of the stage with different settings. */
export type Version = "first" | "second" | "third" | "again";

/** A copy of this checkout, in which the documented commands run. */
export type Checkout = ReturnType<typeof copyCheckout>;

const project = resolve(import.meta.dirname, "../..");
const leftOut = new Set(["node_modules", "tests", "docs", ".git", ".local", ".sst", "dist"]);

/**
 * Copies this checkout, without its packages, to a temporary folder. The copy uses the packages of the checkout. A short rehearsal makes
 * only the templates, not the bundles and the site.
 */
export function copyCheckout(stage: string, isShort: boolean) {
  const settings = fillMissingValues(findSettings(stage));
  let kept: StageSettings["kept"];
  const makeSettings = (version: Version) => ({
    ...makeVersionSettings(settings, version),
    ...(version === "again" && kept !== undefined && { kept, relayers: kept.relayers.length }),
  });
  const folder = mkdtempSync(join(tmpdir(), "rehearsal-"));
  const root = join(folder, "checkout");
  cpSync(project, root, {
    recursive: true,
    filter: (path) =>
      !relative(project, path)
        .split("/")
        .some((part) => leftOut.has(part)),
  });
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
  renameSync(join(root, "infra/stages.ts"), join(root, "infra/committed-stages.ts"));
  const makeBuildPath = (version: Version) => join(folder, version, "out");
  return {
    root,
    /** The stage's settings, with examples instead of empty values. */
    settings,
    /** Sets the existing resources that the stage adopts when its version `again` is deployed. */
    takeBack: (left: NonNullable<StageSettings["kept"]>) => {
      kept = left;
    },
    switchTo: (version: Version) =>
      writeFileSync(join(root, "infra/stages.ts"), formatStagesFile(stage, makeSettings(version))),
    /**
     * A copy of a version's build; `undefined` before the first build. The copy is needed because a deployment writes into the build's
     * folder.
     */
    async copyBuildOf(version: Version): Promise<string | undefined> {
      if (isShort && !existsSync(makeBuildPath(version))) {
        const out = join(folder, version);
        mkdirSync(out);
        await synthesizeOffline({ stage, folder: out, settings: makeSettings(version) });
      }
      if (!existsSync(makeBuildPath(version))) return undefined;
      const copy = join(folder, "built");
      rmSync(copy, { recursive: true, force: true });
      cpSync(makeBuildPath(version), copy, { recursive: true });
      return copy;
    },
    /** Stores the last command's build as the build of the given version. */
    saveBuild(version: Version): void {
      const built = join(root, ".sst/dist");
      if (!existsSync(join(built, "manifest.json"))) return;
      rmSync(makeBuildPath(version), { recursive: true, force: true });
      mkdirSync(join(folder, version), { recursive: true });
      renameSync(built, makeBuildPath(version));
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

const exampleAddress = "0x00000000000000000000000000000000000000fe";

/** Fills in examples for the values that the stage's owner has not set. */
function fillMissingValues(settings: StageSettings): StageSettings {
  const filled: StageSettings = JSON.parse(JSON.stringify(settings), (key, value: unknown) => {
    if (value === missingAddress) return exampleAddress;
    // A test chain's list of stock tokens is empty until `npm run testnet` deploys the tokens.
    if (Array.isArray(value) && value.length === 0 && key === "tokens") return [exampleAddress];
    return typeof value === "string"
      ? value
          .replace(/\.example(?=$|\/)/, ".test")
          .replace(/EXAMPLE$/, "REHEARSAL")
          .replace(/^Example /, "Rehearsal ")
      : value;
  });
  const missing = listMissingSettings(filled);
  if (missing.length > 0) throw new Error(`The rehearsal has no example for ${missing.join(", ")}.`);
  return filled;
}

/** Later versions of the stage have another limit at the gateway and more relayers. Other stacks use the keys of the added relayers. */
function makeVersionSettings(settings: StageSettings, version: Version): StageSettings {
  const more = { first: 0, second: 1, third: 2, again: 0 }[version];
  const { limits, relayers } = settings;
  const gateway = { ...limits.gateway, rate: limits.gateway.rate + more };
  return { ...settings, relayers: relayers + more, limits: { ...limits, gateway } };
}

/** Writes the copy's `infra/stages.ts`: the committed file with other settings for this stage. */
function formatStagesFile(stage: string, settings: StageSettings): string {
  return `
import { findSettings as committed } from "./committed-stages.ts";
export * from "./committed-stages.ts";
const settings = ${JSON.stringify(settings, undefined, 2)};
export const findSettings = (stage) => (stage === ${JSON.stringify(stage)} ? settings : committed(stage));
`;
}

export type CommandEnd = { readonly code: number; readonly output: string };

export type CommandRun = {
  readonly ended: Promise<CommandEnd>;
  /** Ends the command and its child processes, as Ctrl-C does. */
  readonly interrupt: () => void;
};

/** Runs commands in the copy as a user who can reach only the stand-ins. */
export type Shell = ReturnType<typeof openShell>;

/** Commands inherit only `PATH` from the caller's environment: no profile, key or endpoint. */
export function openShell(checkout: Checkout, endpoint: string) {
  const home = join(checkout.root, "../home");
  const contacts = join(home, "contacts");
  mkdirSync(home);
  writeFileSync(contacts, "");
  const guard = join(checkout.root, "bench/rehearsal/guard.ts");
  const environment = {
    PATH: [join(checkout.root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter),
    HOME: home,
    TMPDIR: home,
    CI: "true",
    NODE_OPTIONS: `--import=${JSON.stringify(guard)}`,
    REHEARSAL_CONTACTS: contacts,
    // A rehearsal starts SST's command line many times. Without a compile cache, compilation would take two thirds of each start's time.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(home, "compiled"),
    AWS_ENDPOINT_URL: endpoint,
    AWS_EC2_METADATA_DISABLED: "true",
    CDK_NOTICES: "false",
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
  const running = new Set<number>();
  return {
    startCommand([program = "", ...rest]: readonly string[], variables: Variables = {}): CommandRun {
      const child = spawn(program, rest, {
        cwd: checkout.root,
        env: { ...environment, ...variables },
        stdio: ["ignore", "pipe", "pipe"],
        // The command gets its own process group, so that its child processes can be ended together with the command.
        detached: true,
      });
      const group = child.pid ?? 0;
      running.add(group);
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          output += chunk.toString();
        });
      }
      const ended = new Promise<CommandEnd>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code) => {
          running.delete(group);
          resolve({ code: code ?? 1, output });
        });
      });
      return { ended, interrupt: () => process.kill(-group, "SIGINT") };
    },
    close() {
      for (const group of running) process.kill(-group, "SIGKILL");
      running.clear();
    },
    /** The host names of other machines that a command tried to reach. */
    contacts: () => readFileSync(contacts, "utf8").split("\n").filter(Boolean),
  };
}

export const stackIds = ["storage", "web", "audit", "jobs", "reading", "api", "watch"] as const;
export type StackId = (typeof stackIds)[number];

/** A resource type that cannot be created in a stack, and the reason. */
type Failures = { readonly [id in StackId]?: { readonly type: string; readonly reason: string } };

type Variables = Readonly<Record<string, string>>;

/** The access key with which the commands run. The account refuses this access key until `prepareAccount` adds the key to the account. */
export const signer = { AWS_ACCESS_KEY_ID: "AKIAREHEARSAL", AWS_SECRET_ACCESS_KEY: "rehearsal" } as const;

type CommandOptions = {
  /** The command's environment variables; by default the variables that hold the signer's access key. */
  readonly variables?: Variables;
  /** Additional arguments of the command. The default arguments confirm a first deployment or a removal. */
  readonly words?: readonly string[];
  /** Whether the version is built again although a build exists. A build takes a minute. */
  readonly isRebuilt?: boolean;
};

/**
 * A stage in the account of the stand-ins. The returned methods run the documented commands on the stage, and report the states of its
 * stacks.
 */
export function openStage(account: AwsAccount, checkout: Checkout, shell: Shell, stage: string) {
  const makeStackName = (id: StackId) => `${stage}-${appName}-${id}`;
  const usual = { deploy: ["--new-table"], remove: ["--yes-remove", stage] } as const;
  /** Starts `npm run deploy` or `npm run remove` in the checkout, after the checkout has switched to the given version. */
  const begin = async (
    command: "deploy" | "remove",
    version: Version,
    options: CommandOptions = {},
  ): Promise<CommandRun> => {
    const { variables = signer, isRebuilt = false, words = usual[command] } = options;
    checkout.switchTo(version);
    const built = isRebuilt ? undefined : await checkout.copyBuildOf(version);
    const from = built === undefined ? [] : ["--from", built];
    const running = shell.startCommand(
      ["npm", "run", command, "--", "--stage", stage, ...words, ...from],
      variables,
    );
    if (built !== undefined || command === "remove") return running;
    const ended = running.ended.then((end) => {
      checkout.saveBuild(version);
      return end;
    });
    return { ...running, ended };
  };
  return {
    begin,
    run: async (...what: Parameters<typeof begin>) => (await begin(...what)).ended,
    sst: (command: string, variables: Variables = signer) =>
      shell.startCommand(["npx", "sst", command, "--stage", stage], variables).ended,
    /** Runs a command while the account refuses to create the given resources. */
    async runWithFailures(failures: Failures, run: () => Promise<CommandEnd>) {
      const { operationMs } = account;
      // SST reads a stack's events every second, and shows only the failure reasons that appear after its first reading.
      account.operationMs = 1_500;
      account.failureOf = (stackName, _, type) => {
        const id = stackIds.find((one) => makeStackName(one) === stackName);
        const failure = id === undefined ? undefined : failures[id];
        return failure?.type === type ? failure.reason : undefined;
      };
      const ended = await run();
      Object.assign(account, { operationMs, failureOf: () => undefined });
      return ended;
    },
    /** Asks AWS to delete a stack, and returns the reason if AWS refuses. If AWS does not refuse, AWS deletes the stack. */
    tryDeleteStack(id: StackId): string {
      try {
        actions.DeleteStack?.(account, { StackName: makeStackName(id) });
        return "";
      } catch (error) {
        return String(error);
      }
    },
    readStatus: (id: StackId) => findStack(account, makeStackName(id))?.status ?? "nowhere",
    listResources: (id: StackId) => [...(findStack(account, makeStackName(id))?.resources.values() ?? [])],
    /** The stacks' changes since the last call, such as `web UPDATE_COMPLETE`. */
    takeHistory: () => account.history.splice(0).map((line) => line.replace(`${stage}-${appName}-`, "")),
  };
}

/**
 * Creates the stack from CDK's own template, without running CDK. SST itself would create the stack by CDK's command, which takes half a
 * minute longer.
 */
export async function bootstrapByHand(account: AwsAccount): Promise<string> {
  const path = fileURLToPath(import.meta.resolve("aws-cdk/lib/api/bootstrap/bootstrap-template.yaml"));
  const text = readFileSync(path, "utf8");
  const template = readTemplate(text);
  const parameters = resolveParameters(account.parameters, template, new Map());
  const stack = createStack(account, "CDKToolkit", { text, template, parameters, tags: {} });
  while (stack.status.endsWith("_IN_PROGRESS")) await setTimeout(account.operationMs);
  if (stack.status !== "CREATE_COMPLETE") throw new Error(`CDKToolkit is ${stack.status}`);
  account.history.splice(0);
  return "from CDK's template";
}
