import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { escapeUTF8 as escaped } from "entities/escape";
import { expect, test } from "vitest";
import { writtenPages } from "../../core/page/schema.ts";
import { termsVersion } from "../../core/payment/schema.ts";
import { Press } from "../../core/press/schema.ts";
import { findSettings } from "../../infra/stages.ts";
import { buildSite as buildDevnetSite, findSiteDirectory } from "../../local/site.ts";
import { contact, privacy, terms } from "../../web/src/strings/legal.ts";
import { buildStageSite, stageSettings } from "../support/stage-site.ts";

const { explorer, publicNode, operator, walletConnectProjectId: project } = stageSettings;
const directory = await buildStageSite();
const page = await readFile(join(directory, "index.html"), "utf8");

async function readAssets(extension: string): Promise<string> {
  const names = (await readdir(join(directory, "assets"))).filter((name) => name.endsWith(extension));
  expect(names).not.toEqual([]);
  const texts = await Promise.all(names.map((name) => readFile(join(directory, "assets", name), "utf8")));
  return texts.join("\n");
}

test("the page contains no inline script or style, so the page works with a strict content security policy", () => {
  expect(page.match(/<script\b[^>]*>/g)?.every((tag) => tag.includes(" src="))).toBe(true);
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test("the terms, privacy and contact pages contain no script, and state their version and a contact", async () => {
  for (const name of writtenPages) {
    const written = await readFile(join(directory, `${name}.html`), "utf8");
    const { title, passages } = { terms, privacy, contact }[name];
    const [, text = ""] = /<div id="root">(.*)<\/div>/s.exec(written) ?? [];
    expect(text).toContain(`<h1>${title}</h1>`);
    for (const { heading } of passages) expect(text).toContain(escaped(heading));
    expect(written).toContain(`<title>${title}`);
    expect(written).not.toContain("noscript");
    if (name !== "privacy") expect(text).toContain(`Version of ${termsVersion}.`);
  }
  expect(await readFile(join(directory, "contact.html"), "utf8")).toContain("Rights to train a model");
});

test("a shared link to the front page or to a page without a script shows a title, a text and a picture", async () => {
  for (const [name, title] of [
    ["index", "Press Market"],
    ["terms", terms.title],
  ] as const) {
    const html = await readFile(join(directory, `${name}.html`), "utf8");
    expect(html).toContain(`<meta property="og:title" content="${title}">`);
    expect(html).toContain('<meta property="og:image" content="https://news.example/card.png">');
    expect(html.match(/og:description/g)).toHaveLength(1);
  }
  expect((await stat(join(directory, "card.png"))).size).toBeGreaterThan(1_000);
});

test("the page loads files only from its own origin", async () => {
  const loaded = [...page.matchAll(/<(?:script|link|img)\b[^>]*\s(?:src|href)="([^"]*)"/g)].map(
    ([, url]) => url,
  );
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded.filter((url) => !url?.startsWith("/") || url.startsWith("//"))).toEqual([]);
  const styles = await readAssets(".css");
  expect(styles).not.toMatch(/@import/);
  const files = [...styles.matchAll(/url\(([^)]*)\)/g)].map(([, url]) => url);
  expect(files.filter((url) => !/^\/assets\/[\w-]+\.woff2$/.test(url ?? ""))).toEqual([]);
});

test("the typefaces are small and keep their licence, and the document preloads the first typeface", async () => {
  const fonts = (await readdir(join(directory, "assets"))).filter((name) => name.endsWith(".woff2"));
  expect(fonts.map((name) => name.replace(/-[\w-]{8}\.woff2$/, "")).toSorted()).toEqual([
    "figtree",
    "figtree-further",
    "newsreader",
    "newsreader-further",
    "newsreader-italic",
  ]);
  const first = fonts.filter((name) => !/further|italic/.test(name));
  const sizes = await Promise.all(
    first.map(async (name) => (await stat(join(directory, "assets", name))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000);
  const preloaded = [...page.matchAll(/<link rel="preload" href="([^"]+)" as="font"/g)].map(([, url]) => url);
  expect(preloaded).toEqual([expect.stringMatching(/^\/assets\/figtree-[\w-]{8}\.woff2$/)]);
  expect(await readFile(join(directory, "fonts.txt"), "utf8")).toMatch(
    /Figtree[\s\S]*Newsreader[\s\S]*Open Font License/i,
  );
});

test("a stage's build links to the explorer of the stage's chain, tells wallets the address of the stage's public node, uses the stage's WalletConnect project, and names the operator in the terms", async () => {
  const mainnet = findSettings("prod").chain;
  const scripts = await readAllFiles(directory);
  for (const address of [explorer, publicNode]) expect(scripts).toContain(address);
  for (const address of [mainnet.explorer, mainnet.publicNode]) expect(scripts).not.toContain(address);
  expect(scripts).toContain(project);
  expect(scripts).toMatch(/telemetryEnabled:\s*(?:!1|false)/);
  for (const name of writtenPages)
    expect(await readFile(join(directory, `${name}.html`), "utf8")).toContain(`is ${operator}.`);
});

test("the build contains React's production code, although a test run makes the build", async () => {
  expect(process.env.VITEST).toBe("true");
  const scripts = await readAssets(".js");
  expect(scripts.includes("https://react.dev/errors/")).toBe(true);
  expect(scripts.includes("You are running the development build")).toBe(false);
});

test("zod does not compile its checks, because the content security policy would report compiled checks as eval", async () => {
  expect(await readAssets(".js")).toMatch(/jitless:\s*(?:!0|true)/);
});

test("the build contains neither the descriptions in the server's schemas nor zod's compiler", async () => {
  const scripts = await readAssets(".js");
  expect(scripts).toContain("generationId");
  expect(Press.shape.pressId.description).toMatch(/^Onchain identity id/);
  expect(scripts).not.toContain("Onchain identity id");
  // zod's compiler would write this text into a compiled function.
  expect(scripts).not.toContain("payload.value = newResult;");
});

test("hand-drawn pictures keep their file names in the build", async () => {
  expect(await readdir(directory)).toEqual(expect.arrayContaining(["card.png", "favicon.svg", "press.svg"]));
});

/** Lists words that only a build for the devnet may contain: the accounts' seed phrase, and the names of the development wallets. */
const devnetOnly = [
  "test test test test test",
  "press-market.development-wallet",
  "Devnet reader",
  "Devnet giver",
];

test("a build for a stage contains no development wallet, and a build for the devnet contains a development wallet", async () => {
  const built = await findSiteDirectory();
  await buildDevnetSite(built, new AbortController().signal);
  const [stage, devnet] = await Promise.all([readAllFiles(directory), readAllFiles(built)]);
  // A build without a WalletConnect project contains no WalletConnect code.
  const relay = "relay.walletconnect.org";
  expect([stage.includes(relay), devnet.includes(relay)]).toEqual([true, false]);
  for (const words of devnetOnly) {
    expect({ words, stage: stage.includes(words) }).toEqual({ words, stage: false });
    expect({ words, devnet: devnet.includes(words) }).toEqual({ words, devnet: true });
  }
});

/** The text of all files of a build in one string. */
async function readAllFiles(root: string): Promise<string> {
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1"));
  return (await Promise.all(texts)).join("\n");
}
