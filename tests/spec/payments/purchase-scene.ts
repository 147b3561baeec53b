import * as z from "zod";
import { HashInput } from "../../../core/chain/hex.ts";
import { platformAccount, platformIndexes } from "../../../local/devnet/accounts.ts";
import { cookieOf } from "../world/ask.ts";
import { publish, writer } from "../world/desk.ts";
import { entryOf, newReaderByRelay, payWithClient } from "../world/purse.ts";
import { scene } from "../world/scene.ts";
import { chain } from "../world/service.ts";
import { balanceOf } from "../world/token.ts";

export const treasury = platformAccount(platformIndexes.treasury).address;

/** A live press at 123,457 base units, which all tests of this file buy. */
export const press = scene(() => publish(writer));

/** The two parts of the price. */
export const fee = 12_345n;
export const rest = 111_112n;

const Paid = z.looseObject({ paid: z.literal(true), tx: HashInput });

/** The balances of a wallet, the treasury and the publisher, and the wallet's number of transactions. */
async function standing(wallet: `0x${string}`) {
  const [payer, platform, owner, sent] = await Promise.all([
    balanceOf(wallet),
    balanceOf(treasury),
    balanceOf(writer.address),
    (await chain()).getTransactionCount({ address: wallet }),
  ]);
  return { payer, platform, owner, sent };
}

/** A whole purchase with the official client, with all balances before, between and after the payments. */
export const purchase = scene(async () => {
  const { pressId } = await press();
  const reader = await newReaderByRelay();
  const [feeTerms, restTerms] = [await entryOf("treasury", pressId), await entryOf("publisher", pressId)];
  const before = await standing(reader.address);
  const first = await payWithClient(reader, "treasury", pressId);
  const between = await standing(reader.address);
  const again = await payWithClient(reader, "treasury", pressId);
  const afterAgain = await standing(reader.address);
  const second = await payWithClient(reader, "publisher", pressId);
  const after = await standing(reader.address);
  const third = await payWithClient(reader, "publisher", pressId);
  const end = await standing(reader.address);
  return {
    reader,
    terms: { fee: feeTerms, rest: restTerms },
    standings: { before, between, afterAgain, after, end },
    replies: { first, again, second, third },
    receipt: { fee: Paid.parse(first.body), rest: Paid.parse(second.body) },
    cookie: cookieOf(second),
  };
});
