import { expect, test } from "vitest";
import * as z from "zod";
import { lower } from "../../core/chain/hex.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { filings } from "../../local/seed/articles.ts";
import { makeRecordingVisitor } from "../functions/observed/visitor.ts";
import { moveClockForward } from "../support/clock.ts";
import { publishApproved } from "../support/demo-press.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

/**
 * Anybody can write under any name. A wallet that takes a known author's byline or a similar byline must gain nothing, whether it takes the
 * byline before or after the author. Similar bylines are shown with their wallets' addresses, and the author stays as visible as before.
 */
const service = startPart(startTestService);

let accounts = 20;

/** A wallet that no other test uses. */
const makeWallet = () => getTestAccount(accounts++);
type Wallet = ReturnType<typeof getTestAccount>;

/** Publishes a press without an audit, because other test files attack the audit. */
async function publish(account: Wallet, publisherName: string) {
  await service.client.setBalance({ address: account.address, value: 10n ** 18n });
  return publishApproved(service, account, { ...filings, publisherName });
}

const Shown = z.looseObject({
  slug: z.string(),
  publisher: z.string(),
  publisherName: z.string(),
  bylineAmbiguous: z.boolean(),
});
const Found = z.looseObject({ presses: z.array(Shown) });

const read = (path: string) => makeHttpClient(service.origin).read(path);
const callTool = (name: string, args: object) => makeHttpClient(service.origin).callTool(name, args);

/** For each answer that shows the press, tells whether the answer also shows the author's address. */
async function findAnswersWithAddress(
  slug: string,
  account: Wallet,
): Promise<Readonly<Record<string, boolean>>> {
  const address = lower(account.address);
  const showsAddress = (answer: unknown) => {
    const press = Found.parse(answer).presses.find((one) => one.slug === slug);
    if (press === undefined) throw new Error(`${slug} is hidden`);
    return press.bylineAmbiguous && press.publisher === address;
  };
  const { press } = z.object({ press: Shown }).parse(JSON.parse(await read(`/api/presses/${slug}`)));
  const previewed = z.object({ press: Shown }).parse(await callTool("preview_press", { slug }));
  const findCreator = (feed: string) =>
    feed
      .split("<item>")
      .find((item) => item.includes(slug))
      ?.match(/<dc:creator>(.*)<\/dc:creator>/)?.[1];
  return {
    press: press.bylineAmbiguous && press.publisher === address,
    list: showsAddress(JSON.parse(await read("/api/presses"))),
    stock: showsAddress(JSON.parse(await read(`/api/presses?stock=${filings.stock}`))),
    author: showsAddress(JSON.parse(await read(`/api/authors/${address}`))),
    found: showsAddress(JSON.parse(await read(`/api/search?q=${encodeURIComponent("filings")}&limit=50`))),
    searched: showsAddress(await callTool("search_presses", { words: "filings", limit: 50 })),
    previewed: previewed.press.bylineAmbiguous && previewed.press.publisher === address,
    feed: findCreator(await read("/feed.xml"))?.includes(address) ?? false,
    ownFeed: findCreator(await read(`/feed.xml?author=${address}`))?.includes(address) ?? false,
  };
}

const everywhere = {
  press: true,
  list: true,
  stock: true,
  author: true,
  found: true,
  searched: true,
  previewed: true,
  feed: true,
  ownFeed: true,
};
/** The search reads new presses at most every five seconds, so the test advances the service's clock by more than five seconds. */
function expectAnswers(slug: string, account: Wallet, answers: object) {
  moveClockForward(6);
  return expect.poll(() => findAnswersWithAddress(slug, account)).toEqual(answers);
}
const nowhere = Object.fromEntries(Object.keys(everywhere).map((name) => [name, false]));

// tests/core/byline/looks.test.ts tests which bylines look alike.
test("if two bylines look the same, every answer shows both bylines with their wallets' addresses", async () => {
  const [one, other] = [makeWallet(), makeWallet()];
  const { slug } = await publish(one, "Tomas Reyle");
  const copy = await publish(other, "Тоmаs Rеу\u200bLЕ ✓");
  await expectAnswers(copy.slug, other, everywhere);
  await expectAnswers(slug, one, everywhere);
});

test("if a wallet takes an author's byline before or after the author uses it, the author's presses stay visible and keep their order", async () => {
  const [author, squatter] = [makeWallet(), makeWallet()];
  const early = await publish(squatter, "Marginalia");
  const own = [await publish(author, "Marginalia"), await publish(author, "Marginalia")];
  const late = await publish(squatter, "Marginalia");
  const { presses } = Found.parse(JSON.parse(await read("/api/presses")));
  expect(presses.slice(0, 4).map(({ slug }) => slug)).toEqual(
    [late, ...own.toReversed(), early].map(({ slug }) => slug),
  );
  await expectAnswers(late.slug, squatter, everywhere);
  for (const { slug } of own) {
    await expectAnswers(slug, author, everywhere);
  }
  await expectAnswers(early.slug, squatter, everywhere);
});

test("a byline that readers could take for another wallet's byline is shown with its wallet's address", async () => {
  const account = makeWallet();
  const { slug } = await publish(account, "Ох8f3c1d20");
  await expectAnswers(slug, account, everywhere);
});

test("a byline that only one wallet uses is shown without an address", async () => {
  const account = makeWallet();
  const { slug } = await publish(account, "Clara Stein");
  await expectAnswers(slug, account, nowhere);
});

test("a byline that reverses the text around it is refused", async () => {
  const wallet = makeRecordingVisitor(service.origin, makeWallet());
  await wallet.signIn();
  const saved = await wallet.ask("/api/press/save", { ...filings, publisherName: "\u202eyawollaC senI" });
  expect(saved.status).toBe(400);
});
