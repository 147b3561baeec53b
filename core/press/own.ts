import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { Table } from "../table.ts";
import { transact } from "../transact.ts";
import { pathId } from "./id.ts";
import { metaUrl } from "./links.ts";
import type { OwnPress } from "./schema.ts";
import { toDashboardPress } from "./view.ts";

type Ports = {
  readonly table: Table;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "origin">;
};

/**
 * One of the caller's presses with its text (design §2); `id` is the path's text. Throws `missing` `unknown_press`, also
 * for another's: whether it exists is not revealed; and `upstream` `temporarily_unavailable`.
 */
export async function own(ports: Ports, wallet: Address, id: string | undefined): Promise<OwnPress> {
  const number = pathId(id);
  const [press, text] = number === undefined ? [] : await pressAndText(ports, number);
  if (press == null || press.publisher !== wallet) {
    throw new AppError("missing", "unknown_press", "You have no press with this id.");
  }
  if (text == null) throw new Error(`Press ${press.id} has lost its text`);
  const approved = press.status === "approved" || press.status === "live";
  return {
    press: toDashboardPress(press),
    body: text.body,
    metaUrl: approved ? metaUrl(ports.settings.origin, press.id) : null,
    auditCount: press.auditCount,
  };
}

/** Both at one moment: an editor must not get one revision's text with another's time. */
async function pressAndText({ table, clock }: Ports, id: number) {
  const found = await transact(clock, () =>
    table.transaction
      .get((entities) => [entities.press.get({ id }).commit(), entities.body.get({ id }).commit()])
      .go(),
  );
  if (found.canceled) {
    throw new AppError("upstream", "temporarily_unavailable", "This press is busy. Try again shortly.");
  }
  return [found.data[0].item, found.data[1].item] as const;
}
