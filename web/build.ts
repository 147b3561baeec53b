import { join } from "node:path";
import { build } from "vite";
import { writePages } from "./written.ts";

/** The part of a stage's settings (`infra/stages.ts`) about its site. */
export type StageBuild = {
  /** The chain's public explorer, without a trailing slash. */
  readonly explorer: string;
  /** The chain's public node, which the site names to wallets. */
  readonly publicNode: string;
  /** With a project id the site offers WalletConnect. */
  readonly walletConnectProjectId: string | undefined;
  /** From this many whole USDG on, the purse's page advises a full wallet. The default is 50. */
  readonly purseAdviceUsdg: number;
  readonly contact: string | undefined;
  /** The operator's name on the terms, privacy and contact pages. */
  readonly operator: string | undefined;
  /** The site's own address, for pictures of shared links. */
  readonly origin: string | undefined;
};

/** Without a stage the site is built for mainnet and without WalletConnect. */
export type BuildOptions = Partial<StageBuild> & {
  /**
   * Builds for the devnet, with a development wallet whose keys are public. Never use it for a public chain.
   */
  readonly devnet?: boolean;
};

/**
 * Builds the site into a directory after emptying it. Throws Vite's error. It takes seconds of CPU and sets
 * NODE_ENV, so a running service calls it in a worker, which has its own environment.
 */
export async function buildSite(
  directory: string,
  {
    devnet = false,
    explorer,
    publicNode,
    walletConnectProjectId,
    purseAdviceUsdg,
    contact,
    operator,
    origin,
  }: BuildOptions = {},
): Promise<void> {
  await build({
    configFile: join(import.meta.dirname, "vite.config.ts"),
    define: {
      "import.meta.env.DEVNET": String(devnet),
      ...(explorer !== undefined && { "import.meta.env.EXPLORER": JSON.stringify(explorer) }),
      ...(publicNode !== undefined && { "import.meta.env.PUBLIC_NODE": JSON.stringify(publicNode) }),
      ...(purseAdviceUsdg !== undefined && { "import.meta.env.PURSE_ADVICE_USDG": String(purseAdviceUsdg) }),
      "import.meta.env.CONTACT": JSON.stringify(contact ?? ""),
      "import.meta.env.OPERATOR": JSON.stringify(operator ?? ""),
      "import.meta.env.WALLETCONNECT_PROJECT_ID": JSON.stringify(walletConnectProjectId ?? ""),
    },
    build: { outDir: directory, emptyOutDir: true },
    logLevel: "warn",
  });
  await writePages(directory, { contact, operator, origin });
}
