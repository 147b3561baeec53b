/** What a build knows of where it will run. Vite puts the values in place of the names. */
interface ImportMetaEnv {
  /** Built for the local devnet: only then is there a development wallet. */
  readonly DEVNET: boolean;
  /** The chain's public explorer, without a slash at its end. */
  readonly EXPLORER: string;
  /** WalletConnect's project id. Without one it is empty, and there is no WalletConnect. */
  readonly WALLETCONNECT_PROJECT_ID: string;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
