import { useMutation } from "@tanstack/react-query";
import { purse as words } from "../strings/wallet.ts";
import { Button } from "../ui/button.tsx";
import { Alert } from "../ui/status.tsx";
import { connectWallet, findProblem } from "../wallet/ask.ts";
import type { Connection } from "../wallet/state.ts";
import { readConnection, type Wallets } from "../wallet/wallets.ts";
import { purseConnectorId } from "./connector.ts";
import { canOpenPurse } from "./passkey.ts";
import { findPurse, makePurse, type Purse } from "./purse.ts";

export { canOpenPurse };

type PasskeyChoiceProps = {
  readonly wallets: Wallets;
  /** Whether this browser can open purses: the result of `canOpenPurse`. */
  readonly can: Awaited<ReturnType<typeof canOpenPurse>>;
  /** `isNew` means that the purse was made just now and is empty. */
  readonly onConnected: (connection: Connection, isNew: boolean) => void;
};

/**
 * Offers a purse to people who have no wallet. A purse is a wallet that a passkey opens. The first button finds an existing purse, and the
 * second button makes a new purse.
 */
export function PasskeyChoice({ wallets, can, onConnected }: PasskeyChoiceProps) {
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: async (which: "have" | "make") =>
      connectPurse(wallets, await (which === "make" ? makePurse() : findPurse())),
    onSuccess: (connection, which) => onConnected(connection, which === "make"),
  });
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
            {(["have", "make"] as const).map((which) => (
              <Button
                key={which}
                size="large"
                className="px-3!"
                busy={isPending && variables === which}
                onClick={() => mutate(which)}
              >
                {words[which]}
              </Button>
            ))}
          </div>
          <p className="text-sm text-quiet">
            {words.about} {words.makeAsks}
          </p>
          {isPending && (
            <p role="status" className="text-sm font-medium">
              {words.asking}
            </p>
          )}
          <Alert>{error === null ? undefined : findProblem(error).message}</Alert>
        </>
      )}
    </section>
  );
}

async function connectPurse(wallets: Wallets, purse: Purse): Promise<Connection> {
  if (readConnection(wallets.config)?.isPurse === true) wallets.purse.changed(purse);
  const connector = wallets.config.connectors.find(({ id }) => id === purseConnectorId);
  return connectWallet(wallets, connector?.uid ?? "");
}
