import { encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters } from "viem/utils";
import { type Address, type Hex, HexInput } from "../../core/chain/hex.ts";
import { type Artifacts, artifact } from "./artifacts.ts";

const initializeAbi = parseAbi(["function initialize(string name, string symbol, address issuer)"]);

/** A contract's creation code with its encoded arguments behind it. */
export function creationCode(artifacts: Artifacts, name: string, args: Hex = "0x"): Hex {
  return `${artifact(artifacts, name).bytecode}${HexInput.parse(args).slice(2)}`;
}

/** Constructor arguments that are addresses. */
export function addresses(...values: readonly Address[]): Hex {
  return encodeAbiParameters(
    values.map(() => ({ type: "address" as const })),
    values,
  );
}

/** A stock as its token and its feed are made: `price` is US dollars with 8 decimals. */
export type Stock = { readonly symbol: string; readonly name: string; readonly price: bigint };

/** Creation codes of USDG, of the stock tokens' parts and of their price feeds, which `issuer` will own. */
export function ownContracts(artifacts: Artifacts, issuer: Address) {
  const code = (name: string, args?: Hex) => creationCode(artifacts, name, args);
  return {
    usdg: code("GlobalDollar", addresses(issuer)),
    stockImplementation: code("StockToken"),
    stockBeacon: (implementation: Address) => code("UpgradeableBeacon", addresses(implementation, issuer)),
    token(beacon: Address, { symbol, name }: Stock) {
      const args = [name, symbol, issuer] as const;
      const initialize = encodeFunctionData({ abi: initializeAbi, functionName: "initialize", args });
      const parameters = parseAbiParameters("address, bytes");
      return code("BeaconProxy", encodeAbiParameters(parameters, [beacon, initialize]));
    },
    feed({ symbol, price }: Stock) {
      const parameters = parseAbiParameters("string, int256, address");
      return code("PriceFeed", encodeAbiParameters(parameters, [`${symbol} / USD`, price, issuer]));
    },
  };
}
