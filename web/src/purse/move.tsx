import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { parseAbi } from "viem";
import { type Address, AddressForm, discovery, type Hash, sameAddress } from "../api/request.ts";
import { dollars } from "../format.ts";
import { purse as words } from "../strings/purse.ts";
import { Button } from "../ui/button.tsx";
import { Field, Input } from "../ui/field.tsx";
import { Hex } from "../ui/page.tsx";
import { callContract, waitForOutcome } from "../wallet/ask.ts";
import { ether, etherNeed } from "../wallet/ether.ts";
import { walletProblem } from "../wallet/problem.ts";
import { loadWallets } from "../wallet/state.ts";
import { moveData } from "./allow.ts";
import { type Balance, balanceOf } from "./balance.ts";
import { isRelayed, relayMove } from "./relay.ts";

type MoveProps = { readonly from: Address; readonly balance: Balance };

/** All USDG of the purse to one address: what will happen is shown, then the passkey is asked once. */
export function MoveOut({ from, balance }: MoveProps) {
  const [to, setTo] = useState<Address>();
  const [moved, setMoved] = useState<Moved>();
  return (
    <div className="grid gap-4">
      {moved !== undefined && (
        <div role="status" className="grid gap-1">
          <p className="font-medium">{moved.says}</p>
          <Hex kind="transaction" value={moved.tx} />
        </div>
      )}
      {balance.usdg === 0n ? (
        moved === undefined && <p>{words.moveNothing}</p>
      ) : (
        <>
          <Recipient from={from} onChosen={setTo} />
          {to !== undefined && <Move from={from} to={to} balance={balance} onMoved={setMoved} />}
        </>
      )}
    </div>
  );
}

type RecipientProps = {
  readonly from: Address;
  readonly onChosen: (to: Address | undefined) => void;
};

function Recipient({ from, onChosen }: RecipientProps) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string>();
  const chain = useQuery(discovery).data?.network.name ?? "Robinhood Chain";
  const choose = (event: SyntheticEvent) => {
    event.preventDefault();
    const read = AddressForm.safeParse(text.trim());
    const isOwn = sameAddress(read.data, from);
    setWrong(read.success ? (isOwn ? words.moveOwnAddress : undefined) : words.moveBadAddress);
    onChosen(isOwn ? undefined : read.data);
  };
  return (
    <form className="grid gap-3" onSubmit={choose} noValidate>
      <Field label={words.moveTo} hint={words.moveToHint(chain)} error={wrong}>
        <Input
          value={text}
          onValueChange={(value) => {
            setText(value);
            onChosen(undefined);
          }}
          className="font-mono"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Button type="submit" className="justify-self-start">
        {words.moveNext}
      </Button>
    </form>
  );
}

type Moved = { readonly tx: Hash; readonly says: string };

type OneMoveProps = MoveProps & { readonly to: Address; readonly onMoved: (moved: Moved) => void };

/** A move that is about to be confirmed: amount and recipient as they will be signed, and what the network takes. */
function Move({ from, to, balance, onMoved }: OneMoveProps) {
  const client = useQueryClient();
  const { data: need, error: unknown } = useQuery({
    queryKey: ["purse", "move", from, to, String(balance.usdg)],
    queryFn: async () => {
      // Its own ETH is what counts only where the service does not pay, or does not say so.
      if (await isRelayed(from, to, balance.usdg).catch(() => false)) return "relayed" as const;
      const { config, service } = await loadWallets();
      const call = { to: service.network.asset.address, data: moveData(to, String(balance.usdg)) };
      return etherNeed(config.getClient(), from, call);
    },
    refetchInterval: ({ state }) => (state.data === "relayed" ? false : 6_000),
  });
  const [busy, setBusy] = useState<"asking" | "moving">();
  const [failure, setFailure] = useState<string>();
  const amount = dollars(String(balance.usdg));
  const move = async () => {
    setFailure(undefined);
    setBusy("asking");
    try {
      const relayed = need === "relayed";
      const tx = await (relayed ? relayMove(from, to, balance.usdg) : sendMove(to, balance.usdg));
      setBusy("moving");
      const outcome = await waitForOutcome(await loadWallets(), tx);
      onMoved({ tx, says: words.moveEnds[outcome](amount, to.toLowerCase()) });
      await client.invalidateQueries({ queryKey: balanceOf(from).queryKey });
    } catch (error) {
      setFailure(walletProblem(error).message);
    } finally {
      setBusy(undefined);
    }
  };
  const lacksGas = need !== undefined && need !== "relayed" && need.missing > 0n;
  return (
    <div className="grid justify-items-start gap-3">
      <p className="[overflow-wrap:anywhere]">{words.moveReview(amount, to.toLowerCase())}</p>
      {need !== undefined && (
        <p className={lacksGas ? "text-warn" : "text-quiet"}>
          {need === "relayed"
            ? words.moveRelayed
            : lacksGas
              ? words.moveNoGas(ether(need.most), ether(need.has))
              : words.moveGas(ether(need.most))}
        </p>
      )}
      {unknown !== null && <p className="text-bad">{words.balanceUnknown}</p>}
      <Button
        look="primary"
        busy={busy !== undefined}
        disabled={need === undefined || lacksGas}
        onClick={() => void move()}
      >
        {busy === undefined ? words.moveNow(amount) : busy === "asking" ? words.asking : words.moving}
      </Button>
      {failure !== undefined && (
        <p role="alert" className="text-bad">
          {failure}
        </p>
      )}
    </div>
  );
}

const erc20 = parseAbi(["function transfer(address, uint256) returns (bool)"]);

/** Has the purse send all its USDG, as the page has just shown it. Throws WalletProblem. */
async function sendMove(to: Address, amount: bigint): Promise<Hash> {
  const wallets = await loadWallets();
  wallets.purse.show({ kind: "move", to, amount: String(amount) });
  return callContract(wallets, {
    to: wallets.service.network.asset.address,
    abi: erc20,
    functionName: "transfer",
    args: [to, amount],
  });
}
