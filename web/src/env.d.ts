/** What a build knows of where it will run. Vite puts the values in place of the names. */
interface ImportMetaEnv {
  /** Built for the local devnet: only then is there a development wallet. */
  readonly DEVNET: boolean;
  /** The chain's public explorer, without a slash at its end. */
  readonly EXPLORER: string;
  /** The chain's public node. */
  readonly PUBLIC_NODE: string;
  /** Whom people write to. Without an address it is empty. */
  readonly CONTACT: string;
  /** Who runs the service. Without a name it is empty. */
  readonly OPERATOR: string;
  /** WalletConnect's project id. Without one it is empty, and there is no WalletConnect. */
  readonly WALLETCONNECT_PROJECT_ID: string;
  /** USDG from which on the purse's page advises a full wallet. */
  readonly PURSE_ADVICE_USDG: number;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}

/** Cuts a font to the characters of a text. The package comes without types. */
declare module "subset-font" {
  type Options = {
    readonly targetFormat: "woff2";
    readonly preserveNameIds: readonly number[];
    readonly keepFeatures: readonly string[];
    readonly variationAxes: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>;
  };
  export default function subsetFont(font: Uint8Array, text: string, options: Options): Promise<Uint8Array>;
}
