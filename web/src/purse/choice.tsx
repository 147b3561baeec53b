import { type ReactNode, useState } from "react";
import { purse as words } from "../strings/purse.ts";
import { Button } from "../ui/button.tsx";
import { connectWallet } from "../wallet/ask.ts";
import { walletProblem } from "../wallet/problem.ts";
import type { Connection } from "../wallet/state.ts";
import { connectionOf, type Wallets } from "../wallet/wallets.ts";
import { purseConnectorId } from "./connector.ts";
import { canOpenPurse } from "./passkey.ts";
import { findPurse, makePurse, type Purse } from "./purse.ts";

export { canOpenPurse };

type PasskeyChoiceProps = {
  readonly wallets: Wallets;
  /** The result of `canOpenPurse`. */
  readonly can: Awaited<ReturnType<typeof canOpenPurse>>;
  /** `isNew`: it was made just now, and there is nothing in it. */
  readonly onConnected: (connection: Connection, isNew: boolean) => void;
};

/** The way in for people without a wallet: a purse that a passkey opens. Who has one finds it before making another. */
export function PasskeyChoice({ wallets, can, onConnected }: PasskeyChoiceProps) {
  const [asking, setAsking] = useState<"have" | "make">();
  const [failure, setFailure] = useState<string>();
  const open = async (which: "have" | "make") => {
    setAsking(which);
    setFailure(undefined);
    try {
      const purse = await (which === "make" ? makePurse() : findPurse());
      onConnected(await connectPurse(wallets, purse), which === "make");
    } catch (error) {
      setFailure(walletProblem(error).message);
    } finally {
      setAsking(undefined);
    }
  };
  if (can === "hidden") return null;
  return (
    <section aria-labelledby="passkey" className="grid gap-3 rounded-2xl bg-sunk p-4">
      <div className="grid gap-1">
        <p id="passkey" className="font-semibold">
          {words.heading}
        </p>
        <p className="text-sm">{words.lead}</p>
      </div>
      {can === "no" ? (
        <p className="text-sm text-quiet">{words.none}</p>
      ) : (
        <>
          <div className="grid gap-2 sm:grid-cols-2">
            <Open busy={asking === "have"} onClick={() => void open("have")}>
              {words.have}
            </Open>
            <Open busy={asking === "make"} onClick={() => void open("make")}>
              {words.make}
            </Open>
          </div>
          <p className="text-sm text-quiet">
            {words.about} {words.makeAsks}
          </p>
          {asking !== undefined && (
            <p role="status" className="text-sm font-medium">
              {words.asking}
            </p>
          )}
          {failure !== undefined && (
            <p role="alert" className="text-sm text-bad">
              {failure}
            </p>
          )}
        </>
      )}
    </section>
  );
}

async function connectPurse(wallets: Wallets, purse: Purse): Promise<Connection> {
  if (connectionOf(wallets.config)?.isPurse === true) wallets.purse.changed(purse);
  const connector = wallets.config.connectors.find(({ id }) => id === purseConnectorId);
  return connectWallet(wallets, connector?.uid ?? "");
}

type OpenProps = { readonly busy: boolean; readonly onClick: () => void; readonly children: ReactNode };

function Open({ busy, onClick, children }: OpenProps) {
  return (
    <Button size="large" className="px-3!" busy={busy} onClick={onClick}>
      {children}
    </Button>
  );
}
