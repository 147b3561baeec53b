import { queryOptions } from "@tanstack/react-query";
import type * as z from "zod";
import {
  Audited,
  AuditedPress as AuditedPressForm,
  Disputed,
  type DisputeInput,
} from "../../../core/audit/schema.ts";
import { Corrected } from "../../../core/correction/schema.ts";
import { Angles, Generated } from "../../../core/draft/schema.ts";
import {
  Discarded,
  type DiscardInput,
  Kept,
  Manuscript as ManuscriptForm,
} from "../../../core/manuscript/schema.ts";
import { Minted } from "../../../core/mint/schema.ts";
import { countBytes, Dashboard, PriceNow, Profile, Sales, Saved } from "../../../core/press/schema.ts";
import { Views } from "../../../core/views/schema.ts";
import { ApiProblem, getJson, postJson, queryJson, queryPages } from "./request.ts";

/** All presses of the session's wallet with their earnings (specification §4.8), and the wallet's manuscripts. */
export const dashboard = queryPages("/api/me/dashboard?view=full", Dashboard, (pages) => {
  const sum = (of: (totals: Dashboard["totals"]) => number) =>
    pages.reduce((all, { totals }) => all + of(totals), 0);
  return {
    ...pages[0],
    presses: pages.flatMap(({ presses }) => presses),
    totals: {
      earnedUsdg: sum(({ earnedUsdg }) => earnedUsdg),
      live: sum(({ live }) => live),
      reads: sum(({ reads }) => reads),
    },
  };
});

/** All payments for the wallet's articles, newest first. */
export const allSales = queryPages("/api/me/sales", Sales, (pages) => pages.flatMap(({ sales }) => sales));

/** The views of the wallet's articles in the last ninety days, by article and day, and the number of the wallet's followers. */
export const readers = queryPages("/api/me/views", Views, (pages) => ({
  followers: pages[0].followers,
  views: pages.flatMap(({ views }) => views),
}));

/** The lowest price in USDG at which the platform's fee pays for the gas of a sale. */
export const priceNow = queryJson(["mine", "price"], "/api/me/price", PriceNow, 60_000);

export type AuditedPress = Readonly<z.infer<typeof AuditedPressForm>>;

/** One press of the session's wallet, with its text, its latest audit and the data for its mint. */
export const queryOwnPress = (id: number) =>
  queryOptions({
    queryKey: ["mine", "press", id],
    queryFn: ({ signal }) => readOwnPress(id, signal),
  });

export function readOwnPress(id: number, signal?: AbortSignal) {
  return getJson(`/api/me/press/${id}`, AuditedPressForm, signal);
}

/** Makes an idempotency key. If a request with an idempotency key is sent again, the service carries it out only once. */
export function makeIdempotencyKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** Sends the writer's text. If the body has fewer than 60,000 bytes, the request continues after the writer leaves the page. */
function postText<T>(path: string, body: unknown, form: z.ZodType<T>, key?: string): Promise<T> {
  const keepalive = countBytes(JSON.stringify(body)) < 60_000;
  return postJson(path, body, form, undefined, { keepalive, key });
}

/**
 * Saves a draft (specification §2.9). `body` is the request's body as JSON. A request with the `key` of an earlier request gets the answer
 * to the earlier request. Throws ApiProblem.
 */
export function savePress(body: string, key?: string): Promise<Saved> {
  return postText("/api/press/save", JSON.parse(body), Saved, key);
}

export type Manuscript = Readonly<z.infer<typeof ManuscriptForm>>;

/** The manuscript of the session's wallet with this name; null if there is no such manuscript. */
export const queryManuscript = (name: string) =>
  queryOptions({
    queryKey: ["mine", "manuscript", name],
    queryFn: ({ signal }) => readManuscript(name, signal),
  });

export async function readManuscript(name: string, signal?: AbortSignal): Promise<Manuscript | null> {
  try {
    return await getJson(`/api/me/manuscripts/${name}`, ManuscriptForm, signal);
  } catch (error) {
    if (error instanceof ApiProblem && error.kind === "missing") return null;
    throw error;
  }
}

/** Stores a manuscript. Throws ApiProblem. */
export function keepManuscript(input: object): Promise<Kept> {
  return postText("/api/press/keep", input, Kept);
}

/** Throws ApiProblem. */
export async function discardManuscript(input: DiscardInput): Promise<void> {
  await postJson("/api/press/discard", input, Discarded);
}

/** Audits a saved press, which takes up to half a minute. Throws ApiProblem. */
export function auditPress(id: number): Promise<Audited> {
  return postJson("/api/press/audit", { id }, Audited);
}

/** Disputes a finding of a press's latest report, or withdraws the dispute. Throws ApiProblem. */
export function disputeFinding(input: DisputeInput): Promise<Disputed> {
  return postJson("/api/press/dispute", input, Disputed);
}

/**
 * Adds a correction to a live press. `changePrice` changes the press's price; `unlistPress` takes the press off sale or puts the press on
 * sale again. Throws ApiProblem.
 */
export const correctPress = (id: number, text: string) =>
  postJson("/api/press/correct", { id, text }, Corrected);
export const changePrice = (id: number, priceUsdg: number) =>
  postJson("/api/press/price", { id, priceUsdg }, Corrected);
export const unlistPress = (id: number, unlisted: boolean) =>
  postJson("/api/press/unlist", { id, unlisted }, Corrected);

/** Changes the profile text and the link on the author page of the session's wallet. Throws ApiProblem. */
export const saveProfile = (text: string, link: string | null) =>
  postJson("/api/me/profile", { text, link }, Profile);

/** Suggests angles on a stock. Throws ApiProblem. */
export function findAngles(stock: string): Promise<Angles> {
  return postJson("/api/draft/angles", { stock }, Angles);
}

/**
 * Generates a draft, which takes up to half a minute. Only a successful request counts towards the daily limit. A request with the `key` of
 * an earlier request gets the same draft as the earlier request. Throws ApiProblem.
 */
export function generateDraft(stock: string, angleId: string, key: string): Promise<Generated> {
  return postJson("/api/draft/generate", { stock, angleId }, Generated, undefined, { key });
}

/** The confirmation is still pending; `after` is the number of seconds until the next request. */
export type Confirmation =
  | { readonly state: "live"; readonly slug: string; readonly pressId: number }
  | { readonly state: "pending"; readonly after: number };

/** Reports the mint's transaction to the service and waits some seconds (design §5). Throws ApiProblem. */
export async function confirmMint(id: number, txHash: string): Promise<Confirmation> {
  try {
    return { state: "live", ...(await postJson("/api/press/minted", { id, txHash }, Minted)) };
  } catch (error) {
    if (!(error instanceof ApiProblem && error.code === "mint_pending")) throw error;
    return { state: "pending", after: error.retryAfter ?? 2 };
  }
}
