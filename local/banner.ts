import { toHex } from "viem/utils";
import { testAccount, testAccountCount } from "./devnet/accounts.ts";
import type { Settings } from "./settings.ts";

export type BannerInput = {
  readonly origin: string;
  readonly rpcUrl: string;
  readonly settings: Settings;
  /** Where to see it: the site has been built. */
  readonly site: boolean;
};

/** What a person sees once the service is up: where it is, with what to play, what to try, what is not real. */
export function banner({ origin, rpcUrl, settings, site }: BannerInput): string {
  return `
  ${site ? "Site and API" : "API only    "}   ${origin}
  Devnet         ${rpcUrl}  (chain id 4663)
  Kept in        ${settings.directory}

Accounts: ETH and 10,000 USDG each. These keys are public knowledge, never use them anywhere else.

${accounts()}

Try first:

  curl ${origin}/api/presses
  npm run demo                      publishes a press, then pays for it and reads it

Simulated on this machine:

${simulated(settings)}

Ctrl-C ends everything; it is all there again at the next start, unless that is told --fresh.
`;
}

const roles: Readonly<Record<number, string>> = {
  0: "owns the devnet's contracts",
  1: "holds AAPL, NVDA",
  2: "holds TSLA, MSFT",
  3: "holds GOOGL, AAPL",
  4: "publishes demo presses",
  5: "publishes demo presses",
  6: "publishes demo presses",
};

function accounts(): string {
  const lines = Array.from({ length: testAccountCount }, (_, index) => {
    const account = testAccount(index);
    const key = account.getHdKey().privateKey;
    if (key === null) throw new Error(`Test account ${index} has no key.`);
    return `  ${index}  ${account.address}  ${toHex(key)}  ${roles[index] ?? ""}`.trimEnd();
  });
  return lines.join("\n");
}

function simulated(settings: Settings): string {
  const database =
    settings.database === "embedded"
      ? "DynamoDB         embedded, with transactions"
      : `DynamoDB         ${settings.database === "java" ? "AWS's DynamoDB Local" : settings.database}`;
  return [
    `Robinhood Chain  ${settings.chainRpcUrl ?? "anvil, a block every 100 ms while there is something to mine"}`,
    "Lambda, gateway  the real functions behind a small HTTP front",
    database,
    "SQS, S3, Step F. small ones of our own, driven by the real AWS clients",
    `Bedrock          ${settings.bedrockUrl ?? "a deterministic stand-in, no model: audits say so in `engine`"}`,
    `Stock API        ${settings.stockApiUrl ?? "a stand-in: invented prices that move slowly"}`,
    `News             ${settings.newsUrl ?? "a stand-in: invented headlines"}`,
    ...(settings.rough === undefined
      ? []
      : [`Rough            chain, table and model delay, conflict and fail, by the seed ${settings.rough}`]),
  ]
    .map((line) => `  ${line}`)
    .join("\n");
}
