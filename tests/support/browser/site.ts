import type { Browser, BrowserContext, Page } from "playwright-core";
import type { LocalAccount } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { encodeFunctionData, parseAbi, parseEther } from "viem/utils";
import { lower } from "../../../core/chain/hex.ts";
import { type Press, PressList } from "../../../core/press/schema.ts";
import { testAccount } from "../../../local/devnet/accounts.ts";
import { publishers } from "../../../local/seed/articles.ts";
import { publish, signIn } from "../../../local/seed/client.ts";
import { seedPrices } from "../../../local/seed/index.ts";
import type { ServiceOptions } from "../../../local/service.ts";
import { buildSite, siteDirectory } from "../../../local/site.ts";
import { openDevnetClient } from "../devnet.ts";
import { makeOnce } from "../made-once.ts";
import { readBalance, send, usdg } from "../payment.ts";
import { startTestService, type TestService } from "../service.ts";
import { openSharedChromium } from "./chromium.ts";
import { journeys } from "./hand.ts";
import { slowDown } from "./slow.ts";
import { type InjectedWallet, injectWallet, type WalletOptions } from "./wallet.ts";

/** The built site with its whole service, live presses, and a browser. */
export type Site = Pick<TestService, "origin" | "rpcUrl"> & {
  readonly browser: Browser;
  /** Presses, newest first. */
  readonly presses: readonly Press[];
  /** A new wallet with a little gas and `usdgUnits` base units of USDG. */
  readonly newWallet: (usdgUnits: bigint) => Promise<LocalAccount>;
  /** Sends USDG from a rich wallet. */
  readonly fund: (account: Pick<LocalAccount, "address">, usdgUnits: bigint) => Promise<void>;
  readonly usdgOf: (account: Pick<LocalAccount, "address">) => Promise<bigint>;
  readonly visit: (options?: VisitOptions) => Promise<Visit>;
  readonly stop: () => Promise<void>;
};

export type VisitOptions = Partial<Omit<WalletOptions, "rpcUrl">> & {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  /** Whether the visitor uses a touch screen. */
  readonly touch?: boolean;
  /** The browser's `User-Agent`. */
  readonly userAgent?: string | undefined;
  /** `none` means that no wallet announces itself. */
  readonly wallet?: "none";
};

export type Visit = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The injected wallet. The injected wallet exists only if the visitor has an account. */
  readonly wallet: InjectedWallet;
  /** Faults that the browser reported: errors, violations of the content security policy, and requests to other origins. */
  readonly faults: readonly string[];
} & AsyncDisposable;

/**
 * Starts the site once per test file, with the options of `startTestService`. The site is rebuilt if its
 * sources have changed.
 */
export async function startSite(articles = 2, options: Partial<ServiceOptions> = {}): Promise<Site> {
  const directory = await siteDirectory();
  await makeOnce(directory, () => buildSite(directory, new AbortController().signal));
  const [browser, service] = await Promise.all([
    openSharedChromium(),
    startTestService({ site: directory, ...options }),
  ]);
  try {
    await seedPrices(service.endpoints.database, Date.now());
    const presses = await publishSome(service, articles);
    const client = openDevnetClient(service.rpcUrl);
    const fund = (account: Pick<LocalAccount, "address">, units: bigint) => sendUsdg(client, account, units);
    return {
      origin: service.origin,
      rpcUrl: service.rpcUrl,
      browser,
      presses,
      async newWallet(units) {
        const account = privateKeyToAccount(generatePrivateKey());
        await client.setBalance({ address: account.address, value: parseEther("0.05") });
        if (units > 0n) await fund(account, units);
        return account;
      },
      fund,
      usdgOf: (account) => readBalance({ client }, lower(account.address)),
      visit: (options) => visit(browser, service, options),
      stop: service.stop,
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

type Author = (typeof publishers)[number];

async function publishSome(service: TestService, count: number): Promise<readonly Press[]> {
  return publishFrom(service, publishers[0], [0, count]);
}

/** Publishes one more demo article of an author. */
export async function publishOne(
  site: Pick<Site, "origin" | "rpcUrl">,
  author: Author | undefined,
  at: number,
): Promise<Press> {
  const [newest] = await publishFrom(site, author, [at, at + 1]);
  if (newest === undefined) throw new Error("Nothing was published.");
  return newest;
}

async function publishFrom(
  { origin, rpcUrl }: Pick<Site, "origin" | "rpcUrl">,
  publisher: Author | undefined,
  range: readonly [from: number, to: number],
): Promise<readonly Press[]> {
  const signal = new AbortController().signal;
  if (publisher === undefined) throw new Error("There are no demo articles.");
  const account = testAccount(publisher.account);
  const { publisherName } = publisher;
  const desk = { client: await signIn({ origin, signal }, account), account, publisherName, rpcUrl };
  for (const article of publisher.articles.slice(...range)) await publish(desk, article);
  const answer = await fetch(`${origin}/api/presses`, { signal });
  return PressList.parse(await answer.json()).presses;
}

async function sendUsdg(
  client: ReturnType<typeof openDevnetClient>,
  { address }: Pick<LocalAccount, "address">,
  units: bigint,
): Promise<void> {
  const data = encodeFunctionData({
    abi: parseAbi(["function transfer(address, uint256) returns (bool)"]),
    args: [address, units],
  });
  await send({ client }, testAccount(9), usdg, data);
}

/** A visitor's own browser context. Animations are reduced, so that tests need not wait for animations. */
async function visit(
  browser: Browser,
  { origin, rpcUrl }: TestService,
  {
    width = journeys?.width ?? 1280,
    scheme = "light",
    touch = false,
    userAgent,
    wallet: has,
    ...options
  }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width, height: 900 },
    colorScheme: scheme,
    hasTouch: touch,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...(userAgent !== undefined && { userAgent }),
  });
  context.setDefaultTimeout(journeys === undefined ? 30_000 : 45_000);
  const wallet = await injectWallet(context, {
    account: testAccount(7),
    ...options,
    rpcUrl,
    silent: has === "none",
  });
  const page = await context.newPage();
  const slow = journeys === undefined ? [] : await slowDown(page);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/^Failed to load resource/.test(message.text())) {
      faults.push(message.text());
    }
  });
  page.on("request", (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    if (asked !== origin && protocol.startsWith("http")) faults.push(`asked ${request.url()}`);
  });
  const leave = async () => {
    await context.close();
    if (slow.length > 0) throw new Error(`On a slow line: ${slow.join(" ")}`);
  };
  return { context, page, wallet, faults, [Symbol.asyncDispose]: leave };
}
