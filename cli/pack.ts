import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { build, type Metafile } from "esbuild";
import * as z from "zod";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "..");

const web = /^https:\/\//;

/**
 * The package owner's settings. Only the output folder has a default, because only the package's owner knows the package's name, licence
 * and addresses.
 */
const Settings = z.object({
  name: z
    .string()
    .regex(/^@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*$/)
    .describe("a scoped name of the registry that is yours"),
  license: z
    .string()
    .regex(/^[A-Za-z0-9.+-]+$/)
    .describe("the licence's SPDX name, such as MIT"),
  "license-file": z.string().min(1).describe("the file with its text"),
  repository: z.string().regex(web).describe("the address of the source, with https"),
  homepage: z.string().regex(web).describe("the marketplace's address, with https"),
  out: z
    .string()
    .default(join(root, ".local", "package"))
    .describe("the folder for the package"),
});

/** Reads the owner's settings. Throws an Error that names the missing settings. */
function readSettings(args: readonly string[]): z.infer<typeof Settings> {
  const options = Object.fromEntries(
    Object.keys(Settings.shape).map((name) => [name, { type: "string" } as const]),
  );
  const { values } = parseArgs({ args: [...args], options });
  const read = Settings.safeParse(values);
  if (read.success) return read.data;
  const wrong = new Set(read.error.issues.map(({ path }) => path[0]));
  const missing = Object.entries(Settings.shape)
    .filter(([name]) => wrong.has(name))
    .map(([name, { description }]) => `  --${name}: ${description}`);
  throw new Error(`The package needs settings that only its owner can give:\n${missing.join("\n")}`);
}

const Manifest = z.looseObject({ name: z.string(), version: z.string(), description: z.string() });

/**
 * Makes the npm package that contains the client, the command line and the MCP server. Also writes `server.json` for the registry of MCP
 * servers. Returns the package's path. The package's library needs viem. The package's command line is one file that contains all
 * dependencies, so it also runs in a folder without installed packages.
 */
async function pack(args: readonly string[]): Promise<string> {
  const { name, license, repository, homepage, ...files } = readSettings(args);
  const out = resolve(files.out);
  await mkdir(out, { recursive: true });
  const folder = await mkdtemp(join(out, "build-"));
  try {
    const dist = join(folder, "dist");
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    await run(process.execPath, [tsc, "-p", join(root, "client/tsconfig.build.json"), "--outDir", dist]);
    await bundleCommand(dist);
    await cp(resolve(files["license-file"]), join(folder, "LICENSE"));
    const template = Manifest.parse(JSON.parse(await readFile(join(root, "client/package.json"), "utf8")));
    const { version, description } = template;
    const mcpName = `${new URL(homepage).host.split(".").reverse().join(".")}/presses`;
    const { private: _, scripts: __, ...rest } = template;
    await writeJson(join(folder, "package.json"), {
      ...rest,
      name,
      license,
      repository: { type: "git", url: repository },
      homepage,
      bin: { presses: "dist/cli.js" },
      mcpName,
    });
    await writeJson(
      join(out, "server.json"),
      makeServerFile({ mcpName, name, version, description, homepage }),
    );
    const readme = await readFile(join(root, "client/README.md"), "utf8");
    await writeFile(join(folder, "README.md"), readme.replaceAll(template.name, name));
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", out], { cwd: folder });
    const [{ filename }] = z.tuple([z.object({ filename: z.string() })]).parse(JSON.parse(stdout));
    return join(out, filename);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Bundles the command line into one file, and writes the licences of the bundled packages into a second file. */
async function bundleCommand(dist: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [join(root, "cli/main.ts")],
    outfile: join(dist, "cli.js"),
    absWorkingDir: root,
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node22",
    metafile: true,
    logLevel: "error",
    // Some bundled packages are CommonJS and load Node's own modules by `require`.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  await writeFile(join(dist, "third-party.txt"), await readLicences(metafile));
}

/** The licence of each package in the bundle. */
async function readLicences({ inputs }: Metafile): Promise<string> {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
  );
  const texts = [...folders].toSorted().map(async (folder) => {
    const manifest = z
      .object({ name: z.string(), version: z.string(), license: z.string().optional() })
      .parse(JSON.parse(await readFile(join(root, folder, "package.json"), "utf8")));
    const named = ["LICENSE", "LICENSE.md", "license", "LICENCE", "LICENSE.txt"];
    const found = await Promise.all(
      named.map((file) => readFile(join(root, folder, file), "utf8").catch(() => undefined)),
    );
    const text = found.find((one) => one !== undefined) ?? manifest.license ?? "";
    return `${manifest.name} ${manifest.version}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}

type ServerFacts = Readonly<Record<"mcpName" | "name" | "version" | "description" | "homepage", string>>;

/**
 * Returns the entry for the registry of MCP servers, in the registry's schema of 2025-12-11. The entry names two servers: the package,
 * which communicates over stdio, and the address of the service's own MCP server.
 */
function makeServerFile({ mcpName, name, version, description, homepage }: ServerFacts): object {
  const { origin } = new URL(homepage);
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    description,
    version,
    websiteUrl: homepage,
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "mcp" }],
        environmentVariables: [
          { name: "PRESSES_ORIGIN", description: "The marketplace's address.", default: origin },
          { name: "PRESSES_KEY", description: "The private key of the wallet that buys.", isSecret: true },
        ],
      },
    ],
    remotes: [{ type: "streamable-http", url: `${origin}/mcp` }],
  };
}

function writeJson(file: string, document: object): Promise<void> {
  return writeFile(file, `${JSON.stringify(document, undefined, 2)}\n`);
}

try {
  process.stdout.write(`${await pack(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
