import { bytesToHex } from "viem";
import { signTypedData } from "wagmi/actions";
import { robinhoodChain, signableAuthorization } from "../../../client/signing.ts";
import { Moved, MoveOffer } from "../../../core/move/schema.ts";
import { whilePending } from "../api/pending.ts";
import { type Address, ApiProblem, type Hash, HashForm, postJson } from "../api/request.ts";
import { askWallet } from "../wallet/ask.ts";
import { loadWallets } from "../wallet/state.ts";

/** Seconds for which a signed move is good. */
const life = 300;

/** A move as it is signed, under a nonce of its own. */
async function signable(from: Address, to: Address, amount: bigint) {
  const { chain, service } = await loadWallets();
  return signableAuthorization({
    ...robinhoodChain.usdgDomain,
    chainId: chain.id,
    token: service.network.asset.address,
    from,
    to,
    amount: String(amount),
    nonce: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
    until: String(Math.floor(Date.now() / 1000) + life),
  });
}

/** Whether the service moves it at its own gas, which it does for a wallet whose fees carry that. Throws ApiProblem. */
export async function isRelayed(from: Address, to: Address, amount: bigint): Promise<boolean> {
  const { payload } = await signable(from, to, amount);
  try {
    await postJson("/api/move", payload, MoveOffer);
    return true;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "move_without_credit") return false;
    throw error;
  }
}

/** Signs the move as the page has shown it, at one gesture, and has it sent. Throws WalletProblem and ApiProblem. */
export async function relayMove(from: Address, to: Address, amount: bigint): Promise<Hash> {
  const { config, purse } = await loadWallets();
  const { typed, payload } = await signable(from, to, amount);
  purse.show({ kind: "move", to, amount: String(amount) }, [typed]);
  const signature = await askWallet(() => signTypedData(config, { ...typed, account: from }));
  const { tx } = await whilePending(() => postJson("/api/move", { ...payload, signature }, Moved));
  return HashForm.parse(tx);
}
