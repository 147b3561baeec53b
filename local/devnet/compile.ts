import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import * as z from "zod";
import { HexInput } from "../../core/chain/hex.ts";
import { ignoreFailure } from "../stand-in.ts";

/**
 * A compiled contract: its creation code; its runtime code, with zeros where the constructor fills in values; the byte positions of these
 * values; and its selectors by signature.
 */
const Artifact = z.object({
  bytecode: HexInput,
  runtime: HexInput,
  immutables: z.array(z.object({ start: z.int(), length: z.int() })).readonly(),
  methods: z.record(z.string(), HexInput),
});

/** The file of compiled contracts. `key` is a hash that identifies the sources, the settings, the compiler and OpenZeppelin's version. */
const ArtifactFile = z.object({ key: z.string(), contracts: z.record(z.string(), Artifact) });

type ArtifactFile = z.infer<typeof ArtifactFile>;
export type Artifact = z.infer<typeof Artifact>;
export type Artifacts = Readonly<Record<string, Artifact>>;

/** Returns the compiled contract with the given name. Throws for an unknown name. */
export function findArtifact(artifacts: Artifacts, name: string): Artifact {
  const found = artifacts[name];
  if (found === undefined) throw new Error(`No contract is called ${name}.`);
  return found;
}

const require = createRequire(import.meta.url);
const root = new URL("../contracts/", import.meta.url);

/** OpenZeppelin's contracts that the devnet or tests deploy unchanged. */
const proxies = [
  "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol",
  "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol",
  "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol",
];

export const compilerSettings = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  // The hash of the metadata is left out, because it changes with every comment. The code on a test chain must be equal to the code that is
  // compiled here.
  metadata: { appendCBOR: false, bytecodeHash: "none" },
  outputSelection: {
    "*": {
      "*": [
        "evm.bytecode.object",
        "evm.deployedBytecode.object",
        "evm.deployedBytecode.immutableReferences",
        "evm.methodIdentifiers",
      ],
    },
  },
};

/** Source files by path: `entries` contain the wanted contracts, and `imports` are the project's own files that the entries import. */
type SolidityFiles = {
  readonly entries: Readonly<Record<string, { readonly content: string }>>;
  readonly imports: Readonly<Record<string, string>>;
};

export function readSources(): SolidityFiles {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sol"))
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
  const own = files.map((file) => ({
    path: `contracts/${file}`,
    text: readFileSync(new URL(file, root), "utf8"),
  }));
  const entries = [
    ...own.filter(({ path }) => path.split("/").length === 2),
    ...proxies.map((path) => ({ path, text: readFileSync(require.resolve(path), "utf8") })),
  ];
  return {
    entries: Object.fromEntries(entries.map(({ path, text }) => [path, { content: text }])),
    imports: Object.fromEntries(own.map(({ path, text }) => [path, text])),
  };
}

/** A key that changes when the sources, the settings, the compiler or OpenZeppelin change. */
export function makeSourceKey(): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([readSources(), compilerSettings]));
  for (const name of ["solc", "@openzeppelin/contracts"]) {
    hash.update(readFileSync(require.resolve(`${name}/package.json`)));
  }
  return hash.digest("hex");
}

/**
 * The compiled contracts of `local/contracts`. The compiled contracts are read from `path` if the key of that file is current; otherwise
 * they are compiled in about two seconds and written to `path`. Throws Error with the compiler's message.
 */
export async function compileContracts(path: string): Promise<Artifacts> {
  const key = makeSourceKey();
  const cached = await readCache(path);
  if (cached?.key === key) return cached.contracts;

  const file = ArtifactFile.parse({ key, contracts: await runCompiler() });
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(file));
  await rename(draft, path);
  return file.contracts;
}

async function readCache(path: string): Promise<ArtifactFile | undefined> {
  const text = await readFile(path, "utf8").catch(ignoreFailure("ENOENT"));
  // A file of compiled contracts in an older format counts as missing.
  return text === undefined ? undefined : ArtifactFile.safeParse(JSON.parse(text)).data;
}

async function runCompiler(): Promise<unknown> {
  const worker = new Worker(new URL("./compiler.ts", import.meta.url), { execArgv: [] });
  const [artifacts] = await once(worker, "message");
  await worker.terminate();
  return artifacts;
}
