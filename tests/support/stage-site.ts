import { createHash } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { findSettings } from "../../infra/stages.ts";
import { findSiteDirectory } from "../../local/site.ts";
import { buildSite } from "../../web/build.ts";
import { makeOnce } from "./made-once.ts";

const { explorer, publicNode } = findSettings("dev").chain;
export const stageSettings = {
  explorer,
  publicNode,
  origin: "https://news.example",
  operator: "Press Test Ltd, 1 Test Street, Testville",
  walletConnectProjectId: "0123456789abcdef0123456789abcdef",
};
const builds = join(import.meta.dirname, "../../.local/test-cache/stage-site");

/** Builds the site of a stage, unless a build of the same sources and settings exists. Returns the directory of the build. */
export async function buildStageSite(): Promise<string> {
  const settings = createHash("sha256").update(JSON.stringify(stageSettings)).digest("hex").slice(0, 8);
  const name = `${basename(await findSiteDirectory())}-${settings}`;
  const directory = join(builds, name);
  await makeOnce(directory, async () => {
    for (const old of await readdir(builds))
      if (!old.startsWith(name)) await rm(join(builds, old), { recursive: true, force: true });
    const draft = `${directory}.${process.pid}`;
    await buildSite(draft, stageSettings);
    await rename(draft, directory);
  });
  return directory;
}
