import { createHash } from "node:crypto";
import { type Address, toAddress } from "../chain/hex.ts";
import { AppError, tableBusy } from "../error.ts";
import type { Clock, Ids } from "../port/clock.ts";
import type { Table } from "../table.ts";
import { commit } from "../transact.ts";

type Ports = { readonly table: Table; readonly clock: Clock; readonly ids: Pick<Ids, "secret"> };

/** The most restarts because of concurrent changes of the same address. */
const attempts = 5;

/**
 * Makes the wallet's private feed address anew, or ends it: the earlier one opens nothing any more. Returns the new token, which the table
 * holds as its SHA-256 alone, so it is told once. Throws `upstream` `table_busy`.
 */
export async function renewFeed(ports: Ports, wallet: Address, on: boolean): Promise<string | undefined> {
  const { privateFeed } = ports.table.entities;
  for (let left = attempts; left > 0; left -= 1) {
    const { data } = await privateFeed.get({ wallet }).go({ consistent: true });
    const before = data?.hash;
    if (!on && before === undefined) return undefined;
    const token = on ? ports.ids.secret() : undefined;
    const outcome = await commit(ports, (entities) => ({
      own:
        token === undefined
          ? entities.privateFeed
              .delete({ wallet })
              .where(({ hash }, { eq }) => eq(hash, before ?? ""))
              .commit()
          : entities.privateFeed
              .put({ wallet, hash: hashOf(token) })
              .where(({ hash }, { eq, notExists }) =>
                before === undefined ? notExists(hash) : eq(hash, before),
              )
              .commit(),
      ...(token !== undefined && {
        token: entities.feedToken.create({ hash: hashOf(token), wallet }).commit(),
      }),
      ...(before !== undefined && { earlier: entities.feedToken.delete({ hash: before }).commit() }),
    }));
    if (outcome.done) return token;
    if (outcome.refused.size === 0) break;
  }
  throw tableBusy(new Error("Concurrent requests kept renewing the feed's address first"));
}

/** Whose private feed a token opens. One consistent read. Throws `missing` `unknown_feed`. */
export async function feedOwner({ table }: Pick<Ports, "table">, token: string): Promise<Address> {
  const { data } = await table.entities.feedToken.get({ hash: hashOf(token) }).go({ consistent: true });
  if (data !== null) return toAddress(data.wallet);
  throw new AppError("missing", "unknown_feed", "This feed's address was renewed or ended by its owner.");
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
