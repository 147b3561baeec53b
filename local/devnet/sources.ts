import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const root = new URL("../contracts/", import.meta.url);

/** OpenZeppelin's contracts that are deployed as they are, by the devnet or by tests. */
const proxies = [
  "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol",
  "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol",
  "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol",
];

/** The `settings` of solc's standard JSON input. */
export const compilerSettings = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  // The metadata's hash changes with every comment, and code on a test chain is compared with what is compiled here.
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

/** `entries` are the files whose contracts are wanted, `imports` our own files that those import; both by path. */
export type Sources = {
  readonly entries: Readonly<Record<string, { readonly content: string }>>;
  readonly imports: Readonly<Record<string, string>>;
};

export function readSources(): Sources {
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

/** Names everything that the compiled contracts come from: sources, settings, the compiler and OpenZeppelin. */
export function sourceKey(): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([readSources(), compilerSettings]));
  for (const name of ["solc", "@openzeppelin/contracts"]) {
    hash.update(readFileSync(require.resolve(`${name}/package.json`)));
  }
  return hash.digest("hex");
}
