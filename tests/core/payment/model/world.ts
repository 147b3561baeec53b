import { encodeFunctionData, numberToHex, parseAbi } from "viem/utils";
import * as z from "zod";
import { Quantity } from "../../../../core/chain/call.ts";
import { type Address, HexInput } from "../../../../core/chain/hex.ts";
import { nonceSpent, nonceWordCalldata, settleCalldata } from "../../../../core/chain/permit2.ts";
import { devnetContracts } from "../../../../local/devnet/accounts.ts";
import { hidden, hider } from "../../../support/hider.ts";
import {
  aggregateAbi,
  approval,
  type Change,
  contracts,
  type Ground,
  issuer,
  maxUint,
  owners,
  payers,
  pressOwners,
  stranger,
  transferOf,
  usdgAbi,
  vault,
} from "./ground.ts";
import type { Operation } from "./operation.ts";
import type { Purse, Signed } from "./purse.ts";
import type { Time } from "./scheduler.ts";

const nftAbi = parseAbi(["function transferFrom(address from, address to, uint256 tokenId)"]);
const nonceAbi = parseAbi(["function invalidateUnorderedNonces(uint256 word, uint256 mask)"]);
const Block = z.object({ baseFeePerGas: Quantity });

/** What makes a refusal of a payment true: a condition that held at a certain time. */
export type Condition = "paused" | "moved" | `${"frozen" | "drained" | "revoked"} ${Address}`;

/** Everybody who is neither the service nor a paying client. */
export function openWorld(ground: Ground, purse: Purse, relayers: readonly Address[], time: Time) {
  /** The last block in which a condition held; one that still holds has no last one. */
  const held = new Map<Condition, bigint>();
  const hold = (condition: Condition) => void held.set(condition, maxUint);
  const ownersNow: Address[] = [...pressOwners];
  const wallets = payers.map(({ wallet }) => wallet);
  const at = <Value>(values: readonly Value[], index: number): Value => {
    const value = values[index % values.length];
    if (value === undefined) throw new RangeError("There is none of them.");
    return value;
  };

  async function change(...changes: readonly Change[]): Promise<boolean> {
    return !(await ground.change(changes, time.now())).includes(false);
  }
  function asIssuer(functionName: "pause" | "unpause"): Change;
  function asIssuer(functionName: "freeze" | "unfreeze", account: Address): Change;
  function asIssuer(functionName: "pause" | "unpause" | "freeze" | "unfreeze", account?: Address): Change {
    const data =
      functionName === "pause" || functionName === "unpause"
        ? encodeFunctionData({ abi: usdgAbi, functionName })
        : encodeFunctionData({ abi: usdgAbi, functionName, args: [account ?? vault] });
    return { from: issuer, to: contracts.usdg, data };
  }
  function freeze(account: Address): Promise<boolean> {
    hold(`frozen ${account}`);
    return change(asIssuer("freeze", account));
  }

  async function balance(account: Address): Promise<bigint> {
    const data = encodeFunctionData({ abi: usdgAbi, functionName: "balanceOf", args: [account] });
    return BigInt(HexInput.parse(await ground.rpc("eth_call", [{ to: contracts.usdg, data }, "latest"])));
  }

  async function spent({ permit }: Signed): Promise<boolean> {
    const data = nonceWordCalldata(permit.from, permit.nonce);
    const word = await ground.rpc("eth_call", [{ to: contracts.permit2, data }, "latest"]);
    return nonceSpent(permit.nonce, BigInt(HexInput.parse(word)));
  }

  /** Somebody who has seen permits settles them, two by one transaction where they look alike. */
  async function settle(which: number, broadcast: boolean, two: boolean, unseen: boolean): Promise<boolean> {
    const seen = purse.all().filter((one) => one.broadcast || !broadcast);
    if (seen.length === 0) return false;
    // The newest first: those of the requests under way.
    const first = at(seen, seen.length - 1 - (which % seen.length));
    const twin = seen.find(
      ({ permit }) =>
        permit !== first.permit &&
        permit.from === first.permit.from &&
        permit.to === first.permit.to &&
        permit.amount === first.permit.amount,
    );
    const both = [first, ...(two && twin !== undefined ? [twin] : [])];
    return unseen ? settleUnseen(both) : settleThese(both);
  }

  /** In one block, through a contract whose calldata shows no nonce. */
  function settleUnseen(permits: readonly Signed[]): Promise<boolean> {
    return settleBy(
      permits,
      ...permits.map(({ permit, signature }) => ({
        from: stranger,
        to: hider,
        data: hidden(settleCalldata(permit, signature)),
      })),
    );
  }

  async function settleBy(permits: readonly Signed[], ...changes: readonly Change[]): Promise<boolean> {
    const settled = await change(...changes);
    if (settled) for (const signed of permits) signed.settledIn ??= ground.head().number;
    return settled;
  }

  async function settleThese(permits: readonly Signed[]): Promise<boolean> {
    const calls = permits.map(({ permit, signature }) => settleCalldata(permit, signature));
    const [only = "0x"] = calls;
    if (calls.length === 1)
      return settleBy(permits, { from: stranger, to: contracts.exactProxy, data: only });
    const data = encodeFunctionData({
      abi: aggregateAbi,
      functionName: "aggregate",
      args: [calls.map((callData) => ({ target: contracts.exactProxy, callData }))],
    });
    return settleBy(permits, { from: stranger, to: devnetContracts.multicall3, data });
  }

  return {
    spent,
    /** Whether a condition held in that block or a later one. */
    held: (condition: Condition, since: bigint) => (held.get(condition) ?? -1n) >= since,
    owner: (press: number) => at(ownersNow, press),
    /** Does what an operation says of the world; answers whether it came to pass, `undefined` for one that is not of the world. */
    async perform(operation: Operation): Promise<boolean | undefined> {
      switch (operation.do) {
        case "pause":
          hold("paused");
          return change(asIssuer("pause"));
        case "freeze":
          return freeze(at(wallets, operation.payer));
        case "freeze owner":
          return freeze(at(owners, operation.owner));
        case "drain": {
          const account = at(wallets, operation.payer);
          hold(`drained ${account}`);
          return change(transferOf(account, vault, await balance(account)));
        }
        case "revoke": {
          const account = at(wallets, operation.payer);
          hold(`revoked ${account}`);
          return change(approval(account, 0n));
        }
        case "move press": {
          const from = at(ownersNow, operation.press);
          const to = at(owners, owners.indexOf(from) + 1);
          hold("moved");
          ownersNow[operation.press] = to;
          const args = [from, to, BigInt(operation.press)] as const;
          const data = encodeFunctionData({ abi: nftAbi, functionName: "transferFrom", args });
          return change({ from, to: contracts.identityRegistry, data });
        }
        case "fee spike": {
          const block = Block.parse(await ground.rpc("eth_getBlockByNumber", ["latest", false]));
          await ground.rpc("anvil_setNextBlockBaseFeePerGas", [numberToHex(block.baseFeePerGas * 8n)]);
          await ground.mine(time.now());
          return true;
        }
        case "stray": {
          const relayer = at(relayers, operation.relayer);
          await ground.rpc("anvil_setBalance", [relayer, numberToHex(10n ** 20n)]);
          return change({ from: relayer, to: stranger, data: "0x" });
        }
        case "dry":
          await ground.rpc("anvil_setBalance", [at(relayers, operation.relayer), "0x0"]);
          return true;
        case "settle":
          return settle(operation.which, operation.broadcast, operation.two, false);
        case "settle hidden":
          return settle(operation.which, operation.broadcast, operation.two, true);
        case "heal":
          return heal();
        default:
          return undefined;
      }
    },
    heal,
    settle: (signed: Signed) => settleThese([signed]),
    settleHidden: (signed: Signed) => settleUnseen([signed]),
    /** The payer spends the permit's nonce, so that nobody can settle it any more. */
    async takeBack(signed: Signed): Promise<boolean> {
      if (await spent(signed)) return false;
      const { from, nonce } = signed.permit;
      const args = [nonce >> 8n, 1n << (nonce & 0xffn)] as const;
      const data = encodeFunctionData({ abi: nonceAbi, functionName: "invalidateUnorderedNonces", args });
      await change({ from, to: contracts.permit2, data });
      signed.takenBack = true;
      return true;
    },
    /** Everything that the service has broadcast is settled by others, where it still can be. */
    async settleBroadcast(unseen: boolean): Promise<boolean> {
      let settled = false;
      for (const signed of purse.all()) {
        if (!signed.broadcast || (await spent(signed))) continue;
        settled = (await (unseen ? settleUnseen([signed]) : settleThese([signed]))) || settled;
      }
      return settled;
    },
  };

  /** Gives back everything that a payment needs. */
  async function heal(): Promise<boolean> {
    for (const relayer of relayers) await ground.rpc("anvil_setBalance", [relayer, numberToHex(10n ** 20n)]);
    const thawed = [...wallets, ...owners].map((account) => asIssuer("unfreeze", account));
    const paid = await Promise.all(
      wallets.map(async (wallet) =>
        (await balance(wallet)) === 0n ? [transferOf(issuer, wallet, 100_000_000n)] : [],
      ),
    );
    for (const [condition, last] of held) {
      if (last === maxUint && condition !== "moved") held.set(condition, ground.head().number);
    }
    return change(
      asIssuer("unpause"),
      ...thawed,
      ...paid.flat(),
      ...wallets.map((wallet) => approval(wallet, maxUint)),
    );
  }
}
export type World = ReturnType<typeof openWorld>;
