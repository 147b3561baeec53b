import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeUTF8 as escaped } from "entities/escape";
import { build } from "vite";
import { mainnet } from "../core/chain/deployment.ts";
import { writtenPages } from "../core/page/schema.ts";
import { contact, operator, type Passage, privacy, terms } from "./src/strings/legal.ts";
import { list } from "./src/strings/reader.ts";

/** The settings of a stage (`infra/stages.ts`) that concern the stage's web site. */
export type StageBuild = {
  /** The chain's public explorer, without a trailing slash. */
  readonly explorer: string;
  /** The chain's public node, whose address the site gives to wallets. */
  readonly publicNode: string;
  /** The project id of WalletConnect; the site offers WalletConnect only if the id is set. */
  readonly walletConnectProjectId: string | undefined;
  /**
   * The balance, in whole USDG, at which the purse's page starts to advise the reader to get a full wallet. The default of
   * `purseAdviceUsdg` is 50 USDG.
   */
  readonly purseAdviceUsdg: number;
  readonly contact: string | undefined;
  /** The operator's name on the terms, privacy and contact pages. */
  readonly operator: string | undefined;
  /** The site's own address, for pictures of shared links. */
  readonly origin: string | undefined;
};

/** Without a stage, the site is built for mainnet and without WalletConnect. */
export type BuildOptions = Partial<StageBuild> & {
  /**
   * Whether the build is for the devnet. A devnet build contains a development wallet whose keys are public. Never use a devnet build for a
   * public chain.
   */
  readonly devnet?: boolean;
};

/**
 * Empties a directory and builds the site into it. Throws Vite's error. A build takes seconds of CPU time and sets NODE_ENV, so a running
 * service builds in a worker, and the worker has its own environment.
 */
export async function buildSite(
  directory: string,
  { contact, operator, origin, ...stage }: BuildOptions = {},
): Promise<void> {
  const constants: ImportMetaEnv = {
    DEVNET: stage.devnet ?? false,
    EXPLORER: stage.explorer ?? mainnet.explorer,
    PUBLIC_NODE: stage.publicNode ?? mainnet.publicNode,
    CONTACT: contact ?? "",
    OPERATOR: operator ?? "",
    WALLETCONNECT_PROJECT_ID: stage.walletConnectProjectId ?? "",
    PURSE_ADVICE_USDG: stage.purseAdviceUsdg ?? 50,
  };
  await build({
    configFile: join(import.meta.dirname, "vite.config.ts"),
    define: Object.fromEntries(
      Object.entries(constants).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]),
    ),
    build: { outDir: directory, emptyOutDir: true },
    logLevel: "warn",
  });
  await writePages(directory, { contact, operator, origin });
}

type TextPage = { readonly title: string; readonly lead: string; readonly passages: readonly Passage[] };
/** Without an origin, pictures for shared links have addresses without a host. */
type BuildValues = Pick<StageBuild, "contact" | "operator" | "origin">;

/**
 * Writes additional pages next to the built index.html. The additional pages (terms, privacy, contact) are readable without scripts. When
 * the app has loaded, it replaces the static content of the page. The tags for shared links are added to all pages.
 */
async function writePages(directory: string, named: BuildValues): Promise<void> {
  const pages: Readonly<Record<(typeof writtenPages)[number], TextPage>> = { terms, privacy, contact };
  const index = join(directory, "index.html");
  const template = await readFile(index, "utf8");
  await writeFile(index, addTags(template, "Press Market", list.lead, named.origin));
  for (const name of writtenPages) {
    const { title, lead, passages } = pages[name];
    const who = named.operator === undefined ? operator.none : operator.named(named.operator);
    const write = named.contact === undefined ? contact.none : `${contact.write} ${named.contact}.`;
    const body = [
      '<main class="listing">',
      `<h1>${escaped(title)}</h1>`,
      `<p>${escaped(lead)}</p>`,
      ...(name === "contact" ? [`<p>${escaped(write)}</p>`] : []),
      ...[{ heading: operator.heading, sentences: [who] }, ...passages].flatMap(({ heading, sentences }) => [
        `<h2>${escaped(heading)}</h2>`,
        ...sentences.map((sentence) => `<p>${escaped(sentence)}</p>`),
      ]),
      "</main>",
    ].join("\n");
    const html = template
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)} · Press Market</title>`)
      .replace(/(<meta name="description" content=")[^"]*/, (_, start: string) => start + escaped(lead))
      .replace(/(<div id="root">)(<\/div>)/, (_, start: string, end: string) => start + body + end)
      .replace(/\s*<noscript>.*?<\/noscript>/s, "");
    await writeFile(join(directory, `${name}.html`), addTags(html, title, lead, named.origin));
  }
}

/**
 * Adds Open Graph (ogp.me) tags and a Twitter card to a page. The pages that the service renders have tags of their own, so the service
 * removes the build's tags from these pages.
 */
function addTags(html: string, title: string, description: string, origin = ""): string {
  const tags = [
    ["property", "og:site_name", "Press Market"],
    ["property", "og:type", "website"],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:image", `${origin}/card.png`],
    ["property", "og:image:type", "image/png"],
    ["property", "og:image:width", "1200"],
    ["property", "og:image:height", "630"],
    ["property", "og:image:alt", "The mark of Press Market"],
    ["name", "twitter:card", "summary_large_image"],
  ].map(([kind, name, content = ""]) => `    <meta ${kind}="${name}" content="${escaped(content)}">\n`);
  return html.replace(/[^\S\n]*<\/head>/, (end) => tags.join("") + end);
}
