import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Press } from "../../../core/press/schema.ts";
import { pressDetail } from "../api/press.ts";
import { loadWallets } from "../wallet/load.ts";
import { walletState } from "../wallet/state.ts";
import type { Ballot } from "./cast.ts";
import { pendingVotes } from "./pending.ts";

const WalletDialog = lazy(() => import("../session/wallet-dialog.tsx"));

type Step = "asking" | "mining" | "recording";

export type Voting = {
  /** What is going on, if something is. */
  readonly step: Step | undefined;
  readonly failure: string | undefined;
  readonly done: boolean;
  /** Whether a vote was sent and is not counted. */
  readonly unfinished: boolean;
  readonly vote: (ballot: Ballot) => Promise<void>;
  readonly reset: () => void;
  /** To be drawn: asks for a wallet where there is none. */
  readonly dialog: ReactNode;
};

/** Casts a vote from the wallet to the count. */
export function useVote(press: Press): Voting {
  const client = useQueryClient();
  const [step, setStep] = useState<Step>();
  const [failure, setFailure] = useState<string>();
  const [done, setDone] = useState(false);
  const [waiting, setWaiting] = useState<Ballot>();
  const { pressId, slug } = press;
  const sent = pendingVotes.read(String(pressId))?.tx;

  const run = async (ballot: Ballot) => {
    const [{ sendVote, awaitVote, recordVote }, wallets] = await Promise.all([
      import("./cast.ts"),
      loadWallets(),
    ]);
    if (sent === undefined && walletState().kind !== "connected") {
      setWaiting(ballot);
      return;
    }
    setStep("asking");
    const tx = sent ?? (await sendVote(wallets, ballot));
    setStep("mining");
    await awaitVote(wallets, pressId, tx);
    setStep("recording");
    const tally = await recordVote(pressId, tx);
    client.setQueryData(pressDetail(slug).queryKey, (detail) =>
      detail === undefined ? undefined : { ...detail, press: { ...detail.press, ...tally } },
    );
    setDone(true);
  };
  const vote = async (ballot: Ballot) => {
    setFailure(undefined);
    try {
      await run(ballot);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setStep(undefined);
    }
  };
  const chosen = () => {
    setWaiting(undefined);
    if (waiting !== undefined && walletState().kind === "connected") void vote(waiting);
  };
  return {
    step,
    failure,
    done,
    unfinished: sent !== undefined && step === undefined,
    vote,
    reset: () => setDone(false),
    dialog: waiting !== undefined && (
      <Suspense>
        <WalletDialog view="connect" onClose={chosen} />
      </Suspense>
    ),
  };
}
