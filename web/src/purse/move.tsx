import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { bytesToHex, erc20Abi, isAddress } from "viem";
import { signTypedData } from "wagmi/actions";
import { makeAuthorizationData, robinhoodChain } from "../../../client/signing.ts";
import { Moved as MovedForm, MoveOffer } from "../../../core/move/schema.ts";
import { discovery, useChainName } from "../api/discovery.ts";
import {
  type Address,
  AddressForm,
  ApiProblem,
  computeServiceTime,
  type Hash,
  HashForm,
  isSameAddress,
  postJson,
} from "../api/request.ts";
import { formatRoundedEther, formatUnitsAsDollars } from "../format.ts";
import { common } from "../strings/common.ts";
import { purse as words } from "../strings/wallet.ts";
import { Button } from "../ui/button.tsx";
import { Field, Form, HexInput } from "../ui/field.tsx";
import { ExplorerLink } from "../ui/page.tsx";
import { Alert, describeError } from "../ui/status.tsx";
import { askWallet, callContract, retryWhilePending, waitForOutcome } from "../wallet/ask.ts";
import { computeEtherNeed } from "../wallet/ether.ts";
import { loadWallets } from "../wallet/state.ts";
import { encodeMove } from "./allow.ts";
import { type Balance, queryBalance } from "./funding.tsx";

type MoveProps = { readonly from: Address; readonly balance: Balance };

/** Sends all USDG of the purse to one address: shows the transfer first, then asks the passkey once. */
export function MoveOut({ from, balance }: MoveProps) {
  const [to, setTo] = useState<Address>();
  const [moved, setMoved] = useState<MoveResult>();
  return (
    <div className="grid gap-4">
      {moved !== undefined && (
        <div role="status" className="grid gap-1">
          <p className="font-medium">{moved.says}</p>
          <ExplorerLink kind="transaction" value={moved.tx} />
        </div>
      )}
      {balance.usdg === 0n ? (
        moved === undefined && <p>{words.moveNothing}</p>
      ) : (
        <>
          <Recipient from={from} onChosen={setTo} />
          {to !== undefined && <MoveSummary from={from} to={to} balance={balance} onMoved={setMoved} />}
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
  const chain = useChainName();
  const token = useQuery(discovery).data?.network.asset.address;
  const choose = () => {
    const to = text.trim();
    const fault = token === undefined ? common.unreachable : findRecipientFault(to, from, token);
    setWrong(fault);
    onChosen(fault === undefined ? AddressForm.parse(to) : undefined);
  };
  return (
    <Form className="grid gap-3" onSubmit={choose}>
      <Field label={words.moveTo} hint={words.moveToHint(chain)} error={wrong}>
        <HexInput
          value={text}
          onValueChange={(value) => {
            setText(value);
            onChosen(undefined);
          }}
        />
      </Field>
      <Button type="submit" className="justify-self-start">
        {words.moveNext}
      </Button>
    </Form>
  );
}

/**
 * Says why a typed address must not receive the purse's USDG. Returns `undefined` if the address is allowed to receive the USDG. An address
 * with capital and small letters contains a checksum (EIP-55), which shows most typing errors.
 */
export function findRecipientFault(to: string, from: Address, token: Address): string | undefined {
  if (!AddressForm.safeParse(to).success) return words.moveBadAddress;
  if (isSameAddress(to, from)) return words.moveOwnAddress;
  if (isSameAddress(to, token)) return words.moveTokenAddress;
  const hasChecksum = /[a-f]/.test(to) && /[A-F]/.test(to);
  return hasChecksum && !isAddress(to) ? words.moveMistyped : undefined;
}

type MoveResult = { readonly tx: Hash; readonly says: string };

type OneMoveProps = MoveProps & { readonly to: Address; readonly onMoved: (moved: MoveResult) => void };

/** The transfer as the page shows it before the owner confirms: the amount, the recipient and the network's fee. */
function MoveSummary({ from, to, balance, onMoved }: OneMoveProps) {
  const client = useQueryClient();
  const { data: need, error: unknown } = useQuery({
    queryKey: ["purse", "move", from, to, String(balance.usdg)],
    queryFn: async () => {
      const ask = () => isRelayed(from, to, balance.usdg);
      // If this computer's clock is wrong, only the second request has a valid time, because the first answer contains the service's time.
      const answer = ask().catch((error: unknown) => {
        if (error instanceof ApiProblem && error.code === "authorization_not_valid") return ask();
        throw error;
      });
      // The purse needs its own ETH only if the service does not pay the gas, or does not answer.
      if (await answer.catch(() => false)) return "relayed" as const;
      const { config, service } = await loadWallets();
      const call = { to: service.network.asset.address, data: encodeMove(to, String(balance.usdg)) };
      return computeEtherNeed(config.getClient(), from, call);
    },
    refetchInterval: ({ state }) => (state.data === "relayed" ? false : 6_000),
  });
  const [tx, setTx] = useState<Hash>();
  const amount = formatUnitsAsDollars(String(balance.usdg));
  const move = useMutation({
    mutationFn: async () => {
      setTx(undefined);
      const relayed = need === "relayed";
      const sent = await (relayed ? relayMove(from, to, balance.usdg) : sendMove(to, balance.usdg));
      setTx(sent);
      const outcome = await waitForOutcome(await loadWallets(), sent);
      onMoved({ tx: sent, says: words.moveEnds[outcome](amount, to.toLowerCase()) });
      await client.invalidateQueries({ queryKey: queryBalance(from).queryKey });
    },
  });
  const lacksGas = need !== undefined && need !== "relayed" && need.missing > 0n;
  return (
    <div className="grid justify-items-start gap-3">
      <p className="[overflow-wrap:anywhere]">{words.moveReview(amount, to.toLowerCase())}</p>
      {need !== undefined && (
        <p className={lacksGas ? "text-warn" : "text-quiet"}>
          {need === "relayed"
            ? words.moveRelayed
            : lacksGas
              ? words.moveNoGas(formatRoundedEther(need.most), formatRoundedEther(need.has))
              : words.moveGas(formatRoundedEther(need.most))}
        </p>
      )}
      {unknown !== null && <p className="text-bad">{words.balanceUnknown}</p>}
      <Button
        look="primary"
        busy={move.isPending}
        disabled={need === undefined || lacksGas}
        onClick={() => move.mutate()}
      >
        {!move.isPending ? words.moveNow(amount) : tx === undefined ? words.asking : words.moving}
      </Button>
      <Alert>{move.error === null ? undefined : describeError(move.error)}</Alert>
      {move.error !== null && tx !== undefined && <ExplorerLink kind="transaction" value={tx} />}
    </div>
  );
}

/** Sends all USDG from the purse, in the transaction that the page has just shown. Throws WalletProblem. */
async function sendMove(to: Address, amount: bigint): Promise<Hash> {
  const wallets = await loadWallets();
  wallets.purse.show({ kind: "move", to, amount: String(amount) });
  return callContract(wallets, {
    to: wallets.service.network.asset.address,
    abi: erc20Abi,
    functionName: "transfer",
    args: [to, amount],
  });
}

/** The validity of a signed transfer, in seconds. */
const life = 300;

/** Makes the message for the transfer of all USDG, with a new nonce. */
async function buildMove(from: Address, to: Address, amount: bigint) {
  const { chain, service } = await loadWallets();
  return makeAuthorizationData({
    ...robinhoodChain.usdgDomain,
    chainId: chain.id,
    token: service.network.asset.address,
    from,
    to,
    amount: String(amount),
    nonce: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
    until: String(computeServiceTime() + life),
  });
}

/** Whether the service pays the gas of the transfer. The service pays the gas if the wallet has paid enough fees. Throws ApiProblem. */
async function isRelayed(from: Address, to: Address, amount: bigint): Promise<boolean> {
  const { payload } = await buildMove(from, to, amount);
  try {
    await postJson("/api/move", payload, MoveOffer);
    return true;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "move_without_credit") return false;
    throw error;
  }
}

/** Signs the shown transfer with one passkey prompt, and asks the service to send the transfer. Throws WalletProblem and ApiProblem. */
async function relayMove(from: Address, to: Address, amount: bigint): Promise<Hash> {
  const { config, purse } = await loadWallets();
  const { typed, payload } = await buildMove(from, to, amount);
  purse.show({ kind: "move", to, amount: String(amount) }, [typed]);
  const signature = await askWallet(() => signTypedData(config, { ...typed, account: from }));
  const { tx } = await retryWhilePending(() => postJson("/api/move", { ...payload, signature }, MovedForm));
  return HashForm.parse(tx);
}
