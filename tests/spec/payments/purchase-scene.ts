import * as z from "zod";
import { HashInput } from "../../../core/chain/hex.ts";
import { getPlatformAccount, platformIndexes } from "../../../local/devnet/accounts.ts";
import { parseSessionCookie } from "../world/ask.ts";
import { publish, writer } from "../world/desk.ts";
import { makeReaderByRelay, payWithClient, requestEntry } from "../world/purse.ts";
import { makeOnce } from "../world/scene.ts";
import { chain } from "../world/service.ts";
import { readTokenBalance } from "../world/token.ts";

export const treasury = getPlatformAccount(platformIndexes.treasury).address;

/** A live press that costs 123,457 base units of USDG; all tests of this file buy this press. */
export const press = makeOnce(() => publish(writer));

/** The two parts of the press's price: the fee and the publisher's share. */
export const fee = 12_345n;
export const rest = 111_112n;

const Paid = z.looseObject({ paid: z.literal(true), tx: HashInput });

/** Reads the balances of a wallet, the treasury and the publisher, and how many transactions the wallet has sent. */
async function readBalancesAndNonce(wallet: `0x${string}`) {
  const [payer, platform, owner, sent] = await Promise.all([
    readTokenBalance(wallet),
    readTokenBalance(treasury),
    readTokenBalance(writer.address),
    (await chain()).getTransactionCount({ address: wallet }),
  ]);
  return { payer, platform, owner, sent };
}

/** Buys the press with the official client, and reads all balances before, between and after the two payments. */
export const purchase = makeOnce(async () => {
  const { pressId } = await press();
  const reader = await makeReaderByRelay();
  const [feeTerms, restTerms] = [
    await requestEntry("treasury", pressId),
    await requestEntry("publisher", pressId),
  ];
  const before = await readBalancesAndNonce(reader.address);
  const first = await payWithClient(reader, "treasury", pressId);
  const between = await readBalancesAndNonce(reader.address);
  const again = await payWithClient(reader, "treasury", pressId);
  const afterAgain = await readBalancesAndNonce(reader.address);
  const second = await payWithClient(reader, "publisher", pressId);
  const after = await readBalancesAndNonce(reader.address);
  const third = await payWithClient(reader, "publisher", pressId);
  const end = await readBalancesAndNonce(reader.address);
  return {
    reader,
    terms: { fee: feeTerms, rest: restTerms },
    standings: { before, between, afterAgain, after, end },
    replies: { first, again, second, third },
    receipt: { fee: Paid.parse(first.body), rest: Paid.parse(second.body) },
    cookie: parseSessionCookie(second),
  };
});
