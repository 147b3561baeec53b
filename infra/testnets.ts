import * as z from "zod";
import file from "./testnets.json" with { type: "json" };

const Address = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{40}$/)]);

/** Our own contracts on one test chain, as `npm run testnet` has deployed them. */
const Testnet = z.object({
  /** The wallet that deployed them: it mints USDG and stock tokens, and sets prices. */
  issuer: Address,
  usdg: Address,
  stockImplementation: Address,
  stockBeacon: Address,
  stocks: z.array(z.object({ symbol: z.string(), token: Address, feed: Address })).readonly(),
});
export type Testnet = Readonly<z.infer<typeof Testnet>>;

/** What `infra/testnets.json` holds: test chains by their ids. */
export const Testnets = z.record(z.string().regex(/^[1-9]\d*$/), Testnet);
export type Testnets = Readonly<z.infer<typeof Testnets>>;

/** Every test chain that `npm run testnet` has been run for. Throws where the file is of another form. */
export const testnets: Testnets = Testnets.parse(file);
