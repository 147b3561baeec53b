/** The constants of a build. Vite replaces the names of these constants by their values. */
interface ImportMetaEnv {
  /** True in a build for the local devnet. Only a devnet build has a development wallet. */
  readonly DEVNET: boolean;
  /** The chain's public explorer, without a trailing slash. */
  readonly EXPLORER: string;
  readonly PUBLIC_NODE: string;
  /** The mail address of the contact; empty if the stage has no contact. */
  readonly CONTACT: string;
  /** The name of the operator; empty if the stage names no operator. */
  readonly OPERATOR: string;
  /** WalletConnect's project id, which is empty in a build without WalletConnect. */
  readonly WALLETCONNECT_PROJECT_ID: string;
  /** The balance, in whole USDG, at which the purse's page starts to advise the reader to get a full wallet. */
  readonly PURSE_ADVICE_USDG: number;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}

/** Reduces a font to the characters of a text. The function is declared here because its package has no types. */
declare module "subset-font" {
  type Options = {
    readonly targetFormat: "woff2";
    readonly preserveNameIds: readonly number[];
    readonly keepFeatures: readonly string[];
    readonly variationAxes: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>;
  };
  export default function subsetFont(font: Uint8Array, text: string, options: Options): Promise<Uint8Array>;
}
