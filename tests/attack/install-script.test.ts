import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";

/**
 * The environment without the variables that npm sets for this test run, because those variables would change the behaviour of the npm that
 * the test starts.
 */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith("npm_")),
);

function runNpm(directory: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync("npm", [...args], {
    cwd: directory,
    env: environment,
    encoding: "utf8",
  });
  return { status, output: `${stdout}${stderr}` };
}

/** A project with this repository's npm settings. The project's one dependency has an install script. */
function makeProject(): string {
  const directory = mkdtempSync(join(tmpdir(), "install-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  copyFileSync(".npmrc", join(directory, ".npmrc"));
  const write = (file: string, content: object) =>
    writeFileSync(join(directory, file), JSON.stringify(content));
  mkdirSync(join(directory, "package"));
  const postinstall = 'touch "$INIT_CWD/ran"';
  write("package/package.json", { name: "stranger", version: "1.0.0", scripts: { postinstall } });
  execFileSync("tar", ["-czf", "stranger.tgz", "package"], { cwd: directory });
  const dependencies = { stranger: "file:stranger.tgz" };
  const packages = {
    "": { name: "project", dependencies },
    "node_modules/stranger": { version: "1.0.0", resolved: "file:stranger.tgz", hasInstallScript: true },
  };
  write("package.json", { name: "project", dependencies });
  write("package-lock.json", { name: "project", lockfileVersion: 3, requires: true, packages });
  return directory;
}

/**
 * Tells whether npm knows the setting `strict-allow-scripts`. A version of npm that does not know `strict-allow-scripts` only prints a
 * warning, and runs every install script.
 */
const known = runNpm(tmpdir(), "config", "get", "strict-allow-scripts").output.includes("false");

test.runIf(known)(
  "if the settings do not allow a dependency's install script, the installation stops before the script runs",
  () => {
    const directory = makeProject();
    const { status, output } = runNpm(directory, "ci", "--offline");
    expect(output).toContain("stranger@1.0.0");
    expect(status).not.toBe(0);
    expect(existsSync(join(directory, "ran"))).toBe(false);
  },
);

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

test("the lockfile contains the version and the hash of every package that npm fetches on any platform", () => {
  const { packages } = Lock.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const fetched = Object.entries(packages).filter(
    // A bundled package needs no hash of its own, because the hash of the surrounding archive covers the bundled package.
    ([path, { link, inBundle }]) => path.includes("node_modules/") && !link && !inBundle,
  );
  expect(fetched.length).toBeGreaterThan(1_000);
  const open = fetched.filter(
    ([, { version, integrity }]) => version === undefined || !integrity?.startsWith("sha512-"),
  );
  expect(open.map(([path]) => path)).toEqual([]);
});

test("npm's settings allow or forbid the install script of every package in the lockfile that has such a script, and name no other package", () => {
  const Manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) });
  const { packages } = Lock.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const { allowScripts } = Manifest.parse(JSON.parse(readFileSync("package.json", "utf8")));
  const withScript = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const names = withScript.map(([path]) => path.split("node_modules/").at(-1) ?? "");
  expect(names.toSorted()).toEqual(Object.keys(allowScripts).toSorted());
});
