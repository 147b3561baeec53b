import type { Browser, BrowserContext, Page } from "playwright-core";
import type { LocalAccount } from "viem";
import { afterAll, expect } from "vitest";
import { makeMemoryJournal, openMarket } from "../../../client/index.ts";
import { type Press, PressList } from "../../../core/press/schema.ts";
import { makeRelayClient, makeWallet } from "../../../local/demo/index.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { publishers } from "../../../local/seed/articles.ts";
import { readCookies } from "../../../local/seed/client.ts";
import { seedPrices } from "../../../local/seed/index.ts";
import type { ServiceOptions } from "../../../local/service.ts";
import { buildSite, findSiteDirectory } from "../../../local/site.ts";
import { publishApproved, publishAudited } from "../demo-press.ts";
import { makeHttpClient } from "../http-payer.ts";
import { makeOnce } from "../made-once.ts";
import { readBalance } from "../payment.ts";
import { startTestService, type TestService } from "../service.ts";
import { giveUsdg } from "../wallets.ts";
import { openSharedChromium } from "./chromium.ts";
import { journeys } from "./hand.ts";
import { slowDown } from "./slow.ts";
import { type InjectedWallet, injectWallet, type WalletOptions } from "./wallet.ts";

/** The built site with its whole service and live presses, for visitors with a browser. */
export type Site = Awaited<ReturnType<typeof startSite>>;

export type VisitOptions = Partial<Omit<WalletOptions, "rpcUrl">> & {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  /** Whether the visitor uses a touch screen. */
  readonly touch?: boolean;
  /** The browser's `User-Agent`. */
  readonly userAgent?: string | undefined;
  /** `none` means that no wallet announces itself. */
  readonly wallet?: "none";
  /** The session that the browser has from the start: a cookie, or `true` for a sign-in of the account over HTTP. */
  readonly session?: string | true;
  /**
   * Whether the test causes faults. Without this option, the end of a visit throws an Error if the browser has reported faults. Faults are
   * errors, violations of the content security policy, and requests to other origins.
   */
  readonly faulty?: boolean;
};

export type Visit = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The visitor's injected wallet. With the option `wallet: "none"`, this wallet does not announce itself to the pages. */
  readonly wallet: InjectedWallet;
} & AsyncDisposable;

type SiteOptions = Partial<ServiceOptions> & {
  /**
   * Whether the articles are audited. By default, the articles are approved without an audit, because an audit takes a second of CPU time.
   */
  readonly audited?: boolean;
};

/**
 * Starts the site with the options of `startTestService`, and stops the site at the end of the test file. The site is rebuilt if its
 * sources have changed.
 */
export async function startSite(articles = 2, { audited, ...options }: SiteOptions = {}) {
  const directory = await findSiteDirectory();
  await makeOnce(directory, () => buildSite(directory, new AbortController().signal));
  const [browser, service] = await Promise.all([
    openSharedChromium(),
    startTestService({ site: directory, ...options }),
  ]);
  afterAll(service.stop);
  await seedPrices(service.endpoints.database, Date.now());
  const [desk = expect.unreachable("There are no demo articles.")] = publishers;
  const author = getTestAccount(desk.account);
  const publishArticle = audited ? publishAudited : publishApproved;
  for (const article of desk.articles.slice(0, articles))
    await publishArticle(service, author, { ...article, publisherName: desk.publisherName });
  const { origin, rpcUrl, table, client } = service;
  const { presses } = PressList.parse(await (await fetch(`${origin}/api/presses`)).json());
  return {
    origin,
    rpcUrl,
    table,
    client,
    /** The account of the articles' author. */
    author,
    /** The article with the given number, counted from the newest article. */
    findPress(at = 0): Press {
      const found = presses[at];
      if (found === undefined) throw new Error("There is no such press.");
      return found;
    },
    /** A new wallet with a little ETH for gas and the given amount of USDG, in base units. */
    newWallet: (units: bigint) => makeWallet(makeRelayClient(origin), units),
    /** Sends USDG from a rich wallet. */
    fund: ({ address }: Pick<LocalAccount, "address">, units: bigint) => giveUsdg(service, address, units),
    /** Buys a press over HTTP, for a test that is not about the payment. Returns the session that the payment opened, as a cookie. */
    buy: (account: LocalAccount, press: Press) => buy(service, account, press),
    usdgOf: ({ address }: Pick<LocalAccount, "address">) => readBalance(service, address),
    visit: (options?: VisitOptions) => openVisit(browser, service, options),
  };
}

async function buy({ origin, rpcUrl }: TestService, account: LocalAccount, { pressId }: Press) {
  let session = "";
  const keep: typeof fetch = async (...request) => {
    const answer = await fetch(...request);
    session = readCookies(answer) || session;
    return answer;
  };
  await openMarket({ origin, rpcUrl, account, journal: makeMemoryJournal(), fetch: keep }).buy(pressId);
  return session;
}

/** A visitor's own browser context. Animations are reduced, so that tests need not wait for animations. */
async function openVisit(
  browser: Browser,
  { origin, rpcUrl }: TestService,
  {
    width = journeys?.width ?? 1280,
    scheme = "light",
    touch = false,
    userAgent,
    wallet: has,
    session,
    faulty = false,
    account = getTestAccount(7),
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
  context.setDefaultTimeout(120_000);
  const wallet = await injectWallet(context, {
    ...options,
    account,
    rpcUrl,
    silent: has === "none",
  });
  if (session !== undefined) {
    const cookie = session === true ? await makeHttpClient(origin).signIn(account) : session;
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: origin }]);
  }
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      console.error(`Violated: ${violatedDirective} ${blockedURI}`);
    });
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
    if (faults.length > 0 && !faulty) throw new Error(`The browser reports: ${faults.join("\n")}`);
  };
  return { context, page, wallet, [Symbol.asyncDispose]: leave };
}
