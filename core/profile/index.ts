import { findNoteFault } from "../audit/index.ts";
import type { Address } from "../chain/hex.ts";
import { AppError, makeBusyError } from "../error.ts";
import type { AllPorts } from "../ports.ts";
import type { Profile } from "../press/schema.ts";
import { findDay } from "../quota/index.ts";
import { commit } from "../transact.ts";
import { type ProfileInput, profilesPerDay } from "./schema.ts";

/**
 * Changes the description on an author's page. A request that repeats the current description changes nothing and does not count towards
 * the daily limit. The description is checked by the audit's rules for wording, in the same way as a correction. Throws `note_refused`
 * (`input`), `correction_limit` (`limit`), and `table_busy` (`upstream`).
 */
export async function save(
  ports: Pick<AllPorts, "table" | "clock">,
  publisher: Address,
  { text, link }: ProfileInput,
): Promise<Profile> {
  const fault = findNoteFault(text, { symbol: "USDG", name: "Global Dollar" });
  if (fault !== undefined) throw new AppError("input", "note_refused", `text: ${fault.detail}`);
  const profile = { text, link };
  const { data } = await ports.table.entities.profile.get({ publisher }).go({ consistent: true });
  if (data?.text === text && (data.link ?? null) === link) return profile;
  const today = findDay(ports.clock.now());
  const outcome = await commit(ports, ({ profile: record, quota }) => ({
    quota: quota
      .update({ wallet: publisher, kind: "profile", day: today.name })
      .add({ used: 1 })
      .set({ expiresAt: today.expiresAt })
      .where(({ used }, { lt, notExists }) => `${notExists(used)} OR ${lt(used, profilesPerDay)}`)
      .commit(),
    profile: record.put({ publisher, text, ...(link !== null && { link }) }).commit(),
  }));
  if (outcome.done) return profile;
  if (!outcome.refused.has("quota"))
    throw makeBusyError(new Error("Concurrent requests kept changing the profile"));
  throw new AppError("limit", "correction_limit", `At most ${profilesPerDay} changes a day. Days are UTC.`, {
    retryAfter: today.left,
  });
}
