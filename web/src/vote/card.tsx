import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import * as z from "zod";
import type { VoteEntry } from "../../../core/history/schema.ts";
import type { Press } from "../../../core/press/schema.ts";
import { VoteTag, VoteValue } from "../../../core/vote/schema.ts";
import { history, queryPressDetail } from "../api/press.ts";
import { HashForm, isSameAddress } from "../api/request.ts";
import { formatToMinute } from "../format.ts";
import { useSession, WalletDialog } from "../session/sign-in.tsx";
import { makePressPath } from "../site.ts";
import { openLocalStore, tryKeep } from "../store.ts";
import { vote as words } from "../strings/reader.ts";
import { Button } from "../ui/button.tsx";
import { Choice, Select } from "../ui/choice.tsx";
import { Icon } from "../ui/icon.tsx";
import { Card, ExplorerLink } from "../ui/page.tsx";
import { Alert, Badge, describeError } from "../ui/status.tsx";
import { loadWallets, readWallet, WalletProblem } from "../wallet/state.ts";
import type { Ballot } from "./cast.ts";

/** The card in which a reader who has the text can vote; it tells the publisher that authors cannot vote on their own article. */
export function VoteCard({ press }: { readonly press: Press }) {
  const { address } = useSession();
  return (
    <Card heading={words.title}>
      {address === press.publisher.toLowerCase() ? (
        <p className="text-sm text-quiet">{words.own}</p>
      ) : (
        <OwnVote press={press} />
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

/**
 * For each press, the vote that was sent and is not counted yet. After a reload, the page asks the service to count a sent vote and does
 * not send a second vote.
 */
const pendingVotes = openLocalStore(
  "vote",
  z.object({ tx: HashForm, value: VoteValue.optional(), tag: VoteTag.optional() }),
);

type OwnBallot = Pick<VoteEntry, "value" | "tag" | "tx" | "at">;

/** Shows the reader's own vote, or the form to vote. */
function OwnVote({ press }: { readonly press: Press }) {
  const { address } = useSession();
  const cast = useQuery({ ...history, enabled: typeof address === "string" }).data?.votes.find(
    ({ slug }) => slug === press.slug,
  );
  const [anew, setAnew] = useState(false);
  // This component also keeps a counted vote in its own state. The session may belong to a wallet other than the voter's wallet, or the
  // session's history may show the vote only later.
  const [here, setHere] = useState<OwnBallot>();
  const shown = here ?? cast;
  const showBallot = (ballot: OwnBallot | undefined) => {
    setHere(ballot);
    setAnew(false);
  };
  if (shown === undefined || anew) return <VoteForm press={press} onCast={showBallot} />;
  return <SentVote cast={shown} onAnew={() => setAnew(true)} />;
}

function SentVote({ cast, onAnew }: { readonly cast: OwnBallot; readonly onAnew: () => void }) {
  const isUp = cast.value === 1;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="grid gap-1.5">
        <p role="status" className="flex flex-wrap items-center gap-2">
          <span>{words.yours}</span>
          <Badge tone={isUp ? "accent" : "bad"}>
            <Icon name={isUp ? "up" : "down"} className="size-3" /> {isUp ? words.up : words.down}
          </Badge>
          {cast.tag !== "" && <Badge>{words.tagName(cast.tag)}</Badge>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
          <time dateTime={cast.at}>{formatToMinute(cast.at)}</time>
          <ExplorerLink kind="transaction" value={cast.tx} />
        </p>
      </div>
      <Button onClick={onAnew}>{words.again}</Button>
    </div>
  );
}

type VoteFormProps = { readonly press: Press; readonly onCast: (ballot: OwnBallot | undefined) => void };

/**
 * The form for an onchain vote: up or down, and a tag. No option of the form is preselected. A vote that was sent earlier must be counted
 * before the reader can vote again.
 */
function VoteForm({ press, onCast }: VoteFormProps) {
  const [value, setValue] = useState<VoteValue>();
  const [tag, setTag] = useState<VoteTag>("");
  const [hint, setHint] = useState(false);
  const { step, failure, unfinished, vote, giveUp, getGas, dialog } = useVote(press, onCast);
  const cast = () => {
    setHint(value === undefined && !unfinished);
    // The reader must choose up or down, unless a vote was already sent.
    if (value === undefined && !unfinished) return;
    const url = window.location.origin + makePressPath(press.slug);
    void vote({ pressId: press.pressId, url, value: value ?? 1, tag });
  };
  return (
    <div className="grid gap-4">
      <p className="text-sm text-quiet">{unfinished ? words.unfinished : words.lead}</p>
      <div className="flex flex-wrap items-center gap-3">
        {!unfinished && (
          <>
            <Choice
              label={words.value}
              value={value === undefined ? undefined : value === 1 ? "1" : "-1"}
              options={values}
              onChange={(chosen) => {
                setValue(chosen === "1" ? 1 : -1);
                setHint(false);
              }}
            />
            <Select label={words.tag} value={tag} options={tagOptions} onChange={setTag} />
          </>
        )}
        <Button look="primary" busy={step !== undefined} onClick={cast}>
          {step === undefined ? (unfinished ? words.goOn : words.cast) : words.steps[step]}
        </Button>
      </div>
      <Alert>{hint ? words.choose : failure}</Alert>
      {giveUp !== undefined && (
        <Button className="justify-self-start" onClick={giveUp}>
          {words.anew}
        </Button>
      )}
      {getGas !== undefined && (
        <div className="grid justify-items-start gap-2">
          <p className="text-sm text-quiet">{words.gasLead}</p>
          <Button onClick={getGas}>{words.gasGet}</Button>
        </div>
      )}
      {dialog}
    </div>
  );
}

type Step = "asking" | "mining" | "recording";

type VoteState = {
  /** The current step of the vote; `undefined` if no vote is in progress. */
  readonly step: Step | undefined;
  readonly failure: string | undefined;
  /** Whether a vote was sent and is not counted yet. */
  readonly unfinished: boolean;
  readonly vote: (ballot: Ballot) => Promise<void>;
  /**
   * Forgets a sent vote that the chain has not confirmed for two minutes, for example because the wallet has replaced its transaction.
   * `undefined` if there is no such vote.
   */
  readonly giveUp: (() => void) | undefined;
  /**
   * Asks the service to send the missing ETH, and sends the vote when the ETH has arrived; `undefined` if the page cannot ask the service
   * for ETH.
   */
  readonly getGas: (() => void) | undefined;
  /** The dialog that asks for a wallet if no wallet is connected. The caller must render this dialog. */
  readonly dialog: ReactNode;
};

/**
 * Sends a vote from the wallet and makes the service count the vote. `onCast` is called when the vote is counted and appears in the
 * session's history.
 */
function useVote(press: Press, onCast: VoteFormProps["onCast"]): VoteState {
  const client = useQueryClient();
  const [step, setStep] = useState<Step>();
  const [failure, setFailure] = useState<string>();
  const [waiting, setWaiting] = useState<Ballot>();
  const [lacking, setLacking] = useState<Ballot>();
  const { address } = useSession();
  const { pressId, slug } = press;
  const drawer = String(pressId);
  const [unkept, setUnkept] = useState<ReturnType<typeof pendingVotes.read>>();
  const pending = pendingVotes.read(drawer) ?? unkept;
  const sent = pending?.tx;

  const forget = () => {
    pendingVotes.remove(drawer);
    setUnkept(undefined);
  };
  const run = async (ballot: Ballot, getGas: boolean) => {
    setStep(sent === undefined && !getGas ? "asking" : "mining");
    const [{ requestGas, sendVote, awaitVote, recordVote }, wallets] = await Promise.all([
      import("./cast.ts"),
      loadWallets(),
    ]);
    if (sent === undefined && readWallet() === undefined) {
      setWaiting(ballot);
      return;
    }
    if (getGas) await requestGas(wallets, pressId);
    setStep(sent === undefined ? "asking" : "mining");
    const tx = sent ?? (await sendVote(wallets, ballot));
    const mine = { tx, value: ballot.value, tag: ballot.tag };
    // If this browser cannot store the vote, the vote can be counted only until the reader leaves the page.
    if (sent === undefined && !tryKeep(() => pendingVotes.write(drawer, mine))) setUnkept(mine);
    setStep("mining");
    await awaitVote(wallets, tx, forget);
    setStep("recording");
    const tally = await recordVote(tx, forget);
    forget();
    client.setQueryData(queryPressDetail(slug).queryKey, (detail) =>
      detail === undefined ? undefined : { ...detail, press: { ...detail.press, ...tally } },
    );
    // The press and the history are loaded again: the service counts votes of buyers separately, and the history shows the reader's own
    // vote.
    await Promise.all([
      client.invalidateQueries({ queryKey: history.queryKey }),
      client.invalidateQueries({ queryKey: queryPressDetail(slug).queryKey }),
    ]);
    const { value, tag } = sent === undefined ? ballot : { value: pending?.value, tag: pending?.tag };
    onCast(value === undefined ? undefined : { value, tag: tag ?? "", tx, at: new Date().toISOString() });
  };
  const vote = async (ballot: Ballot, getGas = false) => {
    setFailure(undefined);
    setLacking(undefined);
    try {
      await run(ballot, getGas);
    } catch (error) {
      setFailure(describeError(error));
      // The service sends the ETH for a vote only to the session's wallet, and only once.
      const isOwn = isSameAddress(readWallet()?.address, address ?? undefined);
      if (isOwn && !getGas && error instanceof WalletProblem && error.kind === "ether") setLacking(ballot);
    } finally {
      setStep(undefined);
    }
  };
  const giveUp = () => {
    forget();
    setFailure(undefined);
  };
  const continueVote = () => {
    setWaiting(undefined);
    if (waiting !== undefined && readWallet() !== undefined) void vote(waiting);
  };
  return {
    step,
    failure,
    unfinished: sent !== undefined && step === undefined,
    vote,
    giveUp: failure === words.slow ? giveUp : undefined,
    getGas: lacking === undefined ? undefined : () => void vote(lacking, true),
    dialog: waiting !== undefined && <WalletDialog view="connect" onClose={continueVote} />,
  };
}
