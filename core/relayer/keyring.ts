import * as z from "zod";
import { AddressInput, lower } from "../chain/hex.ts";
import type { Clock } from "../port/clock.ts";
import type { AddressBook } from "../port/signer.ts";
import type { Table } from "../table.ts";

/** Milliseconds for which the addresses are believed: a wrong one of a wallet without gas would never come to sign. */
const freshFor = 24 * 60 * 60_000;

const Addresses = z.record(z.string(), AddressInput.transform(lower));

/** The relayers' addresses by key id in one item of the table. A key that the item does not name is unknown. */
export function keyring({ table, clock }: { readonly table: Table; readonly clock: Clock }): AddressBook {
  const { keyring: item } = table.entities;
  return {
    async read() {
      const { data } = await item.get({ name: "relayers" }).go();
      if (data === null || data.writtenAt < clock.now() - freshFor) return new Map();
      return new Map(Object.entries(Addresses.safeParse(data.addresses).data ?? {}));
    },
    async write(addresses) {
      const writtenAt = clock.now();
      await item.put({ name: "relayers", addresses: Object.fromEntries(addresses), writtenAt }).go();
    },
  };
}
