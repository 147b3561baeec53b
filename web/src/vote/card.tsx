import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Press } from "../../../core/press/schema.ts";
import { VoteTag, type VoteValue } from "../../../core/vote/schema.ts";
import { pressDetail } from "../api/press.ts";
import { useSession } from "../session/sign-in.tsx";
import { pressPath } from "../site.ts";
import { vote as words } from "../strings/reader.ts";
import { Button } from "../ui/button.tsx";
import { Choice, Select } from "../ui/choice.tsx";
import { Card } from "../ui/page.tsx";
import { loadWallets, walletState } from "../wallet/state.ts";
import type { Ballot } from "./cast.ts";
import { pendingVotes } from "./pending.ts";

/** Voting, for whoever has read the text and is not its publisher. */
export function VoteCard({ press }: { readonly press: Press }) {
  const { address } = useSession();
  return (
    <Card heading={words.title}>
      {address === press.publisher.toLowerCase() ? (
        <p className="text-sm text-quiet">{words.own}</p>
      ) : (
        <VoteForm press={press} />
      )}
    </Card>
  );
}

const values = [
  { value: "1", label: words.up, icon: "up" },
  { value: "-1", label: words.down, icon: "down" },
] as const;
const tagOptions = VoteTag.options.map((value) => ({
  value,
  label: value === "" ? words.noTag : words.tagName(value),
}));

/** Up or down, in a word, onchain. A vote that was sent before is counted first. */
function VoteForm({ press }: { readonly press: Press }) {
  const [value, setValue] = useState<VoteValue>(1);
  const [tag, setTag] = useState<VoteTag>("");
  const { step, failure, done, unfinished, vote, reset, dialog } = useVote(press);
  if (done) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status">{words.done}</p>
        <Button onClick={reset}>{words.again}</Button>
      </div>
    );
  }
  const ballot = {
    pressId: press.pressId,
    url: window.location.origin + pressPath(press.slug),
    value,
    tag,
  };
  return (
    <div className="grid gap-4">
      <p className="text-sm text-quiet">{unfinished ? words.unfinished : words.lead}</p>
      <div className="flex flex-wrap items-center gap-3">
        {!unfinished && (
          <>
            <Choice
              label={words.value}
              value={value === 1 ? "1" : "-1"}
              options={values}
              onChange={(chosen) => setValue(chosen === "1" ? 1 : -1)}
            />
            <Select label={words.tag} value={tag} options={tagOptions} onChange={setTag} />
          </>
        )}
        <Button look="primary" busy={step !== undefined} onClick={() => void vote(ballot)}>
          {step === undefined ? (unfinished ? words.goOn : words.cast) : words.steps[step]}
        </Button>
      </div>
      {failure !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {failure}
        </p>
      )}
      {dialog}
    </div>
  );
}

const WalletDialog = lazy(() => import("../session/wallet-dialog.tsx"));

type Step = "asking" | "mining" | "recording";

type Voting = {
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
function useVote(press: Press): Voting {
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
