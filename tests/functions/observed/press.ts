import * as z from "zod";
import { publishers } from "../../../local/seed/articles.ts";
import type { Answer, Visitor } from "./visitor.ts";

/** The words that every private text of the tests contains, and that must not appear in the log. */
export const privateWords = "velvet-anchorage-ledger-9182";

const Saved = z.object({ id: z.number() });
const Audited = z.object({ metaUrl: z.string(), status: z.string() });
const Minted = z.object({ slug: z.string(), pressId: z.number() });

/** The demo's publisher account, and an article with the private words in its text. */
function findManuscript(index: number) {
  const [publisher] = publishers;
  const article = publisher?.articles[index];
  if (publisher === undefined || article === undefined) throw new Error("There is no such demo article");
  const { publisherName } = publisher;
  return { ...article, publisherName, body: `${article.body}\n\nFiled under ${privateWords}.` };
}

function read<Form extends z.ZodType>(schema: Form, { status, body }: Answer): z.output<Form> {
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return schema.parse(body);
}

export async function savePress(desk: Visitor, index: number): Promise<number> {
  return read(Saved, await desk.ask("/api/press/save", findManuscript(index))).id;
}

/** Turns a draft into a live press. `mint` returns the mint transaction that the service must confirm. */
export async function publish(desk: Visitor, id: number, mint: (metaUrl: string) => Promise<string>) {
  const { metaUrl } = read(Audited, await desk.ask("/api/press/audit", { id }));
  const minted = await desk.ask("/api/press/minted", { id, txHash: await mint(metaUrl) });
  return read(Minted, minted);
}
