import * as z from "zod";
import type { AppError } from "../../core/error.ts";
import * as Press from "../../core/press/index.ts";
import { makeProblemReply } from "../lib/reply.ts";
import type { Example } from "./forms.ts";

/** All examples belong together: they are about the first press of an empty marketplace and about the first reader of this press. */
export const publisher = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
export const reader = "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359";

export const time = "2026-11-20T12:00:00.000Z";

const makeSampleTx = (digit: string) => `0x${digit.repeat(64)}`;
export const mintTx = makeSampleTx("a");
export const feeTx = makeSampleTx("c");
export const publisherTx = makeSampleTx("d");
export const voteTx = makeSampleTx("e");

export const signature = `0x${"1b".repeat(65)}`;

/** The signer of receipts. */
export const receiptSigner = {
  address: "0xF9265CD9255706Ea97E8141C32c6068AD241b2b6",
  kid: "did:pkh:eip155:1:0xF9265CD9255706Ea97E8141C32c6068AD241b2b6",
} as const;

/** The identifier and the ticket of the example payment's terms. */
export const nonce = "c0ffee1de5ca1ab1e0ddba11f00dcafe";
export const ticket = "an-example-of-43-random-letters-and-digits0";

/** The example article. Its price must be accepted on every stage. */
export const article = {
  headline: "How to read a stock token's range of the day",
  stock: "MSFT",
  priceUsdg: 1,
  publisherName: "Margin Notes",
  preview:
    "A day's high and low look like a fence around the price. What the two numbers record, and what they leave out for a token that trades at all hours.",
  body: `A quote for a stock token such as MSFT comes with a high and a low for the day. They are easy to read as a fence: the price was inside it, so it will stay inside it. That is not what the numbers say.

The high is the largest price that one source saw during one trading session, and the low is the smallest. A session has a beginning and an end. A token on a chain has neither, because somebody can trade it at any hour. [FINRA's page on extended hours](https://www.finra.org/investors/insights/extended-hours-trading) tells what changes outside a session.

The source matters as well. Two sources that watch different venues record different extremes for the same day, and a single odd trade is enough to widen one of them.

A careful reader therefore asks three things. Which session do the numbers belong to? Which source saw them? And when was the quote taken? A range without those answers is a picture without a date, and it says nothing about what comes next.`,
} as const;

/** The ids of the example press, and its slug when it is live. */
export const id = 1;
export const pressId = 0;
export const slug = Press.makeSlug(article.headline, id);

const { body: _body, ...shown } = article;

export const press = {
  id,
  pressId,
  slug,
  ...shown,
  publisher,
  priceUnits: "1000000",
  publishedAt: time,
  readMinutes: 1,
  auditScore: 86,
  aiAssisted: false,
  publisherHolds: false,
  priceAtPublish: 415.25,
  votes: { up: 1, down: 0 },
  readerVotes: { up: 1, down: 0 },
  standing: { reads: 1, readFees: "100000", voterFees: "100000", upFees: "100000", downFees: "0" },
  tags: { insightful: 1 },
  reads: 1,
  bylineAmbiguous: false,
  newAuthorUntil: "2026-12-20T12:00:00.000Z",
  corrections: [],
  priceChangedAt: null,
  unlistedAt: null,
  mintTx,
  auditTx: makeSampleTx("b"),
} as const;

/** A signed transfer (EIP-3009) whose validity has expired. */
export const authorization = {
  from: reader,
  to: `0x${"1".repeat(40)}`,
  value: "1000000",
  validAfter: "0",
  validBefore: "1700000000",
  nonce: `0x${"1".repeat(64)}`,
} as const;

export const quote = {
  symbol: article.stock,
  mid: 415.25,
  dayHigh: 418.4,
  dayLow: 412.1,
  volume: 18_250_300,
  halted: false,
  asOf: time,
} as const;

export const auditSummary = {
  verdict: "approve",
  score: press.auditScore,
  summary: "Sound, sourced and borne out by its preview.",
  engine: "amazon.nova-pro-v1:0 review-1 rules-1",
  auditedAt: time,
} as const;

export const auditReport = {
  ...auditSummary,
  issues: [],
  facts: { quote, publisherHolds: false, publisherBalance: "0" },
} as const;

/** An example of a request that the service refuses with the given error. */
export function makeRefusal(error: AppError, request: Example): Example {
  const { statusCode = 500, body = "" } = makeProblemReply(error, "5f0c8a52-6a8f-4b5e-9d63-2f9a41c7f1f0");
  return { ...request, status: statusCode, answer: z.json().parse(JSON.parse(body)) };
}
