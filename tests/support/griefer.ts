import { encodeDeployData, encodeFunctionData, parseAbi, parseTransaction } from "viem/utils";
import * as z from "zod";
import { erc20Abi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import { type Address, type Hex, HexInput, lower } from "../../core/chain/hex.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { type Artifacts, findArtifact } from "../../local/devnet/compile.ts";
import { type LocalServer, makeExclusiveRunner } from "../../local/stand-in.ts";
import type { openDevnetClient } from "./devnet.ts";
import { changeReplies } from "./faulty-node.ts";
import { deploy, send } from "./payment.ts";
import { startProxy } from "./post.ts";
import { giveUsdg } from "./wallets.ts";

const { permit2, usdg } = mainnet.contracts;

/**
 * The ways in which a griefing wallet detects whether a call is a simulation or is included in a block
 * (local/contracts/GriefingWallet.sol).
 */
export const tells = { never: 0, gasPrice: 1, gasLeft: 2, block: 3, switch: 4 } as const;

export type GrieferSettings = {
  readonly tell: keyof typeof tells;
  readonly mark?: bigint;
  /** The gas that a griefing wallet uses in a simulation. */
  readonly appetite?: bigint;
};

const habitsType = "(uint8 tell, uint256 mark, uint256 appetite)";
const grieferAbi = parseAbi([
  `constructor(address walletOwner, ${habitsType} walletHabits, uint256 walletSalt)`,
  `function initialize(address walletOwner, ${habitsType} walletHabits)`,
  `function setHabits(${habitsType} walletHabits)`,
  "function arm(bool on)",
  "function execute(address target, bytes data) returns (bytes)",
]);

/** The account that owns every griefing wallet. */
const attacker = getTestAccount(8);
/** The USDG that a wallet has at the start, in base units. */
const funds = 20_000_000n;

/** An attacker with any number of contract wallets. The attacker sends transactions one after the other. */
export function openGriefer(chain: ReturnType<typeof openDevnetClient>, artifacts: Artifacts) {
  let salts = 0n;
  // The nonces of one key allow only one transaction at a time.
  const runAlone = makeExclusiveRunner();

  const place = { client: chain };
  const deployOne = (code: Hex) => runAlone(() => deploy(place, attacker, code));
  const call = async (to: Address, data: Hex) => void (await runAlone(() => send(place, attacker, to, data)));

  function encodeSettings({ tell, mark = 0n, appetite = 0n }: GrieferSettings) {
    return { tell: tells[tell], mark, appetite };
  }

  async function fund(wallet: Address): Promise<Address> {
    await runAlone(() => giveUsdg(place, wallet, funds));
    const approve = { abi: erc20Abi, functionName: "approve", args: [permit2, 2n ** 256n - 1n] } as const;
    const args = [usdg, encodeFunctionData(approve)] as const;
    await call(wallet, encodeFunctionData({ abi: grieferAbi, functionName: "execute", args }));
    return wallet;
  }

  const makeInitCode = (owner: Address, habits: GrieferSettings, salt: bigint) =>
    encodeDeployData({
      abi: grieferAbi,
      bytecode: findArtifact(artifacts, "GriefingWallet").bytecode,
      args: [owner, encodeSettings(habits), salt],
    });

  return {
    owner: attacker,
    call,
    deploy: deployOne,
    fund,
    /** Deploys a wallet with USDG that Permit2 is allowed to move. Two wallets have the same code only if both wallets have the same salt. */
    async deployWallet(settings: GrieferSettings, salt = ++salts + 1_000n): Promise<Address> {
      return fund(await deployOne(makeInitCode(lower(attacker.address), settings, salt)));
    },
    /** Deploys an implementation for proxies. In the test, the implementation's owner is the USDG contract, not an account. */
    deployImplementation: () => deployOne(makeInitCode(usdg, { tell: "never" }, 1n)),
    /** The call that makes the attacker the owner of a proxy. */
    encodeInitCall(settings: GrieferSettings): Hex {
      const args = [lower(attacker.address), encodeSettings(settings)] as const;
      return encodeFunctionData({ abi: grieferAbi, functionName: "initialize", args });
    },
    changeSettings(wallet: Address, settings: GrieferSettings): Promise<void> {
      const args = [encodeSettings(settings)] as const;
      return call(wallet, encodeFunctionData({ abi: grieferAbi, functionName: "setHabits", args }));
    },
    /** Turns the wallet's switch for griefing on or off without waiting for a block. Later transactions see the new state of the switch. */
    async arm(wallet: Address, isArmed: boolean): Promise<void> {
      const data = encodeFunctionData({ abi: grieferAbi, functionName: "arm", args: [isArmed] });
      await runAlone(() => chain.sendTransaction({ account: attacker, to: wallet, data, gas: 100_000n }));
    },
  };
}

const Sent = z.object({ method: z.literal("eth_sendRawTransactionSync"), params: z.tuple([HexInput]) });

export type AmbushedNode = LocalServer & {
  /** Runs before the service's broadcast, and returns a function that runs after the transaction is mined. */
  around: ((raw: Hex) => Promise<() => Promise<unknown>>) | undefined;
  /** Replaces the node's gas price, in wei. */
  gasPrice: bigint | undefined;
  /** Receives the body of every request to the node: one call, or a batch of calls. */
  heard: ((body: unknown) => void) | undefined;
};

/**
 * A node whose operator helps the attacker: the node can act right before a broadcast, after the service's simulation.
 */
export async function startAmbushedNode(endpoint: string): Promise<AmbushedNode> {
  const server = await startProxy(endpoint, async (sentBody, ask) => {
    const body: unknown = JSON.parse(sentBody);
    ambush.heard?.(body);
    const sent = Sent.safeParse(body).data;
    const after = sent === undefined ? undefined : await ambush.around?.(sent.params[0]);
    const answer = await ask();
    await after?.();
    const { gasPrice } = ambush;
    if (answer === undefined || gasPrice === undefined) return answer;
    const text = changeReplies(sentBody, answer.text, ({ method }, reply) =>
      method === "eth_gasPrice" ? { ...reply, result: `0x${gasPrice.toString(16)}` } : reply,
    );
    return { ...answer, text };
  });
  const nothing = { around: undefined, gasPrice: undefined, heard: undefined };
  const ambush: AmbushedNode = { ...server, ...nothing };
  return ambush;
}

/** The payer in a settlement's calldata; `undefined` for any other transaction. */
export function findPayer(raw: Hex): Address | undefined {
  const { data = "0x" } = parseTransaction(raw);
  // In the calldata of settle(((address,uint256),uint256,uint256),address owner,…), the owner is the fifth word of 32 bytes.
  return data.startsWith("0x13cd3b53") ? lower(`0x${data.slice(10 + 4 * 64 + 24, 10 + 5 * 64)}`) : undefined;
}
