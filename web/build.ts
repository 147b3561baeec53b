import { join } from "node:path";
import { build } from "vite";
import { writePages } from "./written.ts";

/** What a stage says of its site (`infra/stages.ts`). */
export type StageBuild = {
  /** The chain's public explorer, without a slash at its end. */
  readonly explorer: string;
  /** The chain's public node, which wallets are told of. */
  readonly publicNode: string;
  /** With one the site offers WalletConnect. */
  readonly walletConnectProjectId: string | undefined;
  /** From so many whole USDG on the purse's page advises a full wallet; 50 unless given. */
  readonly purseAdviceUsdg: number;
  /** The mail address on the contact page. */
  readonly contact: string | undefined;
  /** Who runs the service, on the terms, privacy and contact pages. */
  readonly operator: string | undefined;
};

/** Without a stage the site is built for mainnet and without WalletConnect. */
export type BuildOptions = Partial<StageBuild> & {
  /** For the devnet, with a development wallet whose keys are public. Never for a chain that others use. */
  readonly devnet?: boolean;
};

/**
 * Builds the site into a directory, whose former content is removed. Throws what Vite threw.
 *
 * It keeps a processor busy for some seconds and sets NODE_ENV: a service that goes on meanwhile calls it in a
 * worker, which has an environment of its own.
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
  await writePages(directory, { contact, operator });
}
