import * as z from "zod";
import { article } from "../lib/scene.ts";
import type { Answer, Visitor } from "./visitor.ts";

/** The words that are in every private text of the tests. These words must not appear in the log. */
export const privateWords = "velvet-anchorage-ledger-9182";

const Saved = z.object({ id: z.number() });
const Audited = z.object({ metaUrl: z.string(), status: z.string() });
const Minted = z.object({ slug: z.string(), pressId: z.number() });

/** The demo's first article, with the private words in its text. */
const manuscript = { ...article, body: `${article.body}\n\nFiled under ${privateWords}.` };

function read<Form extends z.ZodType>(schema: Form, { status, body }: Answer): z.output<Form> {
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return schema.parse(body);
}

export async function savePress(visitor: Visitor): Promise<number> {
  return read(Saved, await visitor.ask("/api/press/save", manuscript)).id;
}

/** Turns a draft into a live press. `mint` returns the mint transaction that the service must confirm. */
export async function publish(visitor: Visitor, id: number, mint: (metaUrl: string) => Promise<string>) {
  const { metaUrl } = read(Audited, await visitor.ask("/api/press/audit", { id }));
  const minted = await visitor.ask("/api/press/minted", { id, txHash: await mint(metaUrl) });
  return read(Minted, minted);
}
