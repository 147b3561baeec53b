/** The build's constants. Vite replaces the names by the values. */
interface ImportMetaEnv {
  /** True in a build for the local devnet. Only that has a development wallet. */
  readonly DEVNET: boolean;
  /** The chain's public explorer, without a trailing slash. */
  readonly EXPLORER: string;
  readonly PUBLIC_NODE: string;
  /** The contact's mail address; empty if there is none. */
  readonly CONTACT: string;
  /** The operator's name; empty if there is none. */
  readonly OPERATOR: string;
  /** WalletConnect's project id. It is empty in a build without WalletConnect. */
  readonly WALLETCONNECT_PROJECT_ID: string;
  /** The balance in USDG from which the purse's page advises a full wallet. */
  readonly PURSE_ADVICE_USDG: number;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}

/** Subsets a font to the characters of a text. The package has no types. */
declare module "subset-font" {
  type Options = {
    readonly targetFormat: "woff2";
    readonly preserveNameIds: readonly number[];
    readonly keepFeatures: readonly string[];
    readonly variationAxes: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>;
  };
  export default function subsetFont(font: Uint8Array, text: string, options: Options): Promise<Uint8Array>;
}
