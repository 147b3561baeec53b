import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import type { SSTConfig } from "sst";
import { reportOffline } from "./infra/deploy/offline.ts";
import { addStacks } from "./infra/index.ts";
import {
  appName,
  findBoundaries,
  findSettings,
  listMissingSettings,
  type StageSettings,
} from "./infra/stages.ts";
import type { StageBuild } from "./web/build.ts";

const site = resolve("web/dist");

/**
 * Makes the program that builds the site. The program runs in a separate process, because Vite and SST need different values of NODE_ENV.
 */
const buildSite = ({ chain: { explorer, publicNode }, domain, ...settings }: StageSettings) => {
  const { walletConnectProjectId, purseAdviceUsdg, contact, operator } = settings;
  const stage: StageBuild = {
    explorer,
    publicNode,
    walletConnectProjectId,
    purseAdviceUsdg,
    contact,
    operator,
    origin: domain && `https://${domain.name}`,
  };
  return `
  const { buildSite } = await import("./web/build.ts");
  await buildSite(${JSON.stringify(site)}, ${JSON.stringify(stage)});
`;
};

// SST waits for its telemetry at the end of every command. If the telemetry's host cannot be reached, SST waits for a promise that never
// settles. When only an unsettled promise is left, Node.js exits with 0 and without a message, even if the command has failed.
process.env.SST_TELEMETRY_DISABLED = "1";

export default {
  config({ stage = "" }) {
    const { region } = findSettings(stage);
    const asksAws = ["deploy", "diff", "remove", "bootstrap"].includes(process.argv[2] ?? "");
    const endpoint = process.env.AWS_ENDPOINT_URL ?? `https://sts.${region}.amazonaws.com`;
    if (asksAws) reportOffline(new URL(endpoint).hostname);
    const boundaries = findBoundaries(stage);
    return {
      name: appName,
      region,
      // CDK's bootstrap needs the permissions boundary at the first deployment.
      ...(boundaries !== undefined && { cdk: { customPermissionsBoundary: boundaries.execution } }),
    };
  },
  stacks(app) {
    const settings = findSettings(app.stage);
    const missing = listMissingSettings(settings);
    if (app.mode === "deploy" && missing.length > 0) {
      const chainless = missing.some((name) => name.startsWith("chain."));
      const advice = chainless ? ": npm run testnet deploys what its chain lacks" : "";
      throw new Error(
        `infra/stages.ts has no ${missing.join(", no ")} for the stage ${app.stage} yet${advice}`,
      );
    }
    const program = ["--input-type=module", "--eval", buildSite(settings)];
    execFileSync(process.execPath, program, { stdio: "inherit" });
    addStacks(app, settings, site);
  },
} satisfies SSTConfig;
