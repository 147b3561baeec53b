import * as z from "zod";
import { wallet as words } from "../strings/account.ts";

// Telling these errors apart takes nothing that speaks to chains or wallets, whose libraries are loaded on demand.

/**
 * What a wallet answered instead of doing what it was asked.
 *
 * - `rejected`: the person declined (EIP-1193 code 4001).
 * - `busy`: it is still asking them something else (-32002).
 * - `gone`: it is locked or no longer connected (4100, 4900, 4901).
 * - `failed`: anything else; the cause says what.
 */
export class WalletProblem extends Error {
  override readonly name = "WalletProblem";
  readonly kind: "rejected" | "busy" | "gone" | "failed";

  constructor(kind: WalletProblem["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const kinds: Readonly<Record<number, WalletProblem["kind"]>> = {
  4001: "rejected",
  5000: "rejected",
  4100: "gone",
  4900: "gone",
  4901: "gone",
  [-32002]: "busy",
};
const kindsByName: Readonly<Record<string, WalletProblem["kind"]>> = {
  UserRejectedRequestError: "rejected",
  ResourceUnavailableRpcError: "busy",
  ConnectorNotConnectedError: "gone",
  ConnectorAccountNotFoundError: "gone",
  ProviderNotFoundError: "gone",
};

const Coded = z.object({ code: z.number() });
const Short = z.object({ shortMessage: z.string() });

/** Reads what a wallet threw, however deep libraries have wrapped it. */
export function walletProblem(error: unknown): WalletProblem {
  if (error instanceof WalletProblem) return error;
  for (let at = error; typeof at === "object" && at !== null; at = causeOf(at)) {
    const coded = Coded.safeParse(at);
    const kind = (coded.success && kinds[coded.data.code]) || (at instanceof Error && kindsByName[at.name]);
    if (kind) return new WalletProblem(kind, words[kind], error);
  }
  const short = Short.safeParse(error);
  return new WalletProblem(
    "failed",
    short.success ? `${words.failed} ${short.data.shortMessage}` : words.failed,
    error,
  );
}

function causeOf(error: object): unknown {
  return "cause" in error ? error.cause : undefined;
}

/** The chain gave no answer. */
export class ChainSilent extends Error {
  override readonly name = "ChainSilent";
}

/** The wallet said that it had switched to the service's chain, and did not. */
export class OtherNetwork extends Error {
  override readonly name = "OtherNetwork";
}
