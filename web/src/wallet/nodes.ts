/** Public nodes by chain id, for wallets that have to be told of the chain. */
const publicNodes: Readonly<Partial<Record<number, string>>> = {
  4663: "https://rpc.mainnet.chain.robinhood.com",
  46630: "https://rpc.testnet.chain.robinhood.com",
};

/** The node that a wallet is told of: the chain's public one where there is one, else, as on the devnet, the service's relay. */
export function publicNode(chainId: number): string {
  const node = import.meta.env.DEVNET ? undefined : publicNodes[chainId];
  return node ?? `${window.location.origin}/api/rpc`;
}
