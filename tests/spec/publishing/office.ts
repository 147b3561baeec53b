import type { HDAccount } from "viem/accounts";
import * as z from "zod";
import { read, signInOnce } from "../world/ask.ts";
import {
  article,
  auditSuccessfully,
  boastful,
  confirm,
  publish,
  register,
  save,
  saveSuccessfully,
  scheming,
  writer,
} from "../world/desk.ts";
import { makeOnce } from "../world/scene.ts";

/** Every field of a press in the dashboard (specification §2.10). If the press is not live, some fields may be null. */
const Own = z.looseObject({ id: z.int(), status: z.string(), headline: z.string() });
const OwnPress = z.object({
  press: Own,
  body: z.string(),
  audit: z.unknown(),
  metaUrl: z.string().nullable(),
});

/** Reads a press as its publisher sees it. */
export async function readOwnPress(account: HDAccount, id: number) {
  return read(OwnPress, `/api/me/press/${id}`, { cookie: await signInOnce(account) });
}

export async function readStatus(id: number, account = writer): Promise<string> {
  return (await readOwnPress(account, id)).press.status;
}

/** Five presses of one publisher, one in each of the five states. */
export const desk = makeOnce(async () => {
  const [draft, revise, rejected, approved] = [
    await saveSuccessfully(writer),
    await saveSuccessfully(writer, boastful),
    await saveSuccessfully(writer, scheming),
    await saveSuccessfully(writer),
  ];
  const results = {
    revise: await auditSuccessfully(writer, revise),
    rejected: await auditSuccessfully(writer, rejected),
    approved: await auditSuccessfully(writer, approved),
  };
  return { draft, revise, rejected, approved, results, live: await publish(writer) };
});

/** Makes a draft that the auditor has just approved. */
export async function approveDraft() {
  const id = await saveSuccessfully(writer);
  const { metaUrl } = await auditSuccessfully(writer, id);
  return { id, metaUrl };
}

/** Saves a draft again with changed fields. */
export async function updateDraft(id: number, changes: object = {}, account = writer) {
  return save(account, { ...article, id, ...changes });
}

/** Mints an identity with the given URI and confirms the mint to the service. */
export async function mint(id: number, uri: string, account = writer) {
  return confirm(account, id, await register(account, uri));
}

/** Makes a text of `count` words. */
export function makeWords(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index}`).join(" ");
}
