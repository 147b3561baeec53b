import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Settings } from "../port/settings.ts";
import type { Table } from "../table.ts";
import { pathId } from "./id.ts";
import { metaUrl } from "./links.ts";
import type { OwnPress } from "./schema.ts";
import { toDashboardPress } from "./view.ts";

type Ports = { readonly table: Table; readonly settings: Pick<Settings, "origin"> };

/**
 * One of the caller's presses with its text (design §2); `id` is the path's text. Throws `missing` `unknown_press`, also
 * for another's: whether it exists is not revealed.
 */
export async function own(
  { table, settings }: Ports,
  wallet: Address,
  id: string | undefined,
): Promise<OwnPress> {
  const number = pathId(id);
  const [press, text] = number === undefined ? [] : await pressAndText(table, number);
  if (press == null || press.publisher !== wallet) {
    throw new AppError("missing", "unknown_press", "You have no press with this id.");
  }
  if (text == null) throw new Error(`Press ${press.id} has lost its text`);
  const approved = press.status === "approved" || press.status === "live";
  return {
    press: toDashboardPress(press),
    body: text.body,
    metaUrl: approved ? metaUrl(settings.origin, press.id) : null,
    auditCount: press.auditCount,
  };
}

/** Both at one moment: an editor must not get one revision's text with another's time. */
async function pressAndText(table: Table, id: number) {
  const { data } = await table.transaction
    .get((entities) => [entities.press.get({ id }).commit(), entities.body.get({ id }).commit()])
    .go();
  return [data[0].item, data[1].item] as const;
}
