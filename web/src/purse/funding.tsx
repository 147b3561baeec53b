import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { erc20Abi } from "viem";
import { getBalance, getGasPrice, readContract } from "viem/actions";
import { discovery, useChainName } from "../api/discovery.ts";
import { type Address, queryClient } from "../api/request.ts";
import { payment } from "../strings/payment.ts";
import { purse as words } from "../strings/wallet.ts";
import { Button, Copy, Spinner, Waiting } from "../ui/button.tsx";
import { Bullets } from "../ui/page.tsx";
import { makeLazyPart } from "../ui/part.tsx";
import { Alert } from "../ui/status.tsx";
import { findProblem } from "../wallet/ask.ts";
import { usualGas } from "../wallet/ether.ts";
import { loadWallets, useConnection } from "../wallet/state.ts";
import { PurseProblem } from "./passkey.ts";
import { exportKey, readPurse } from "./purse.ts";

const Qr = makeLazyPart(async () => (await import("../ui/qr.tsx")).default);

type PurseFundingProps = { readonly due: bigint; readonly onFunded: () => void };

/**
 * Shows how to add money to a purse, and what the purse's owner should know before adding money. The page continues automatically once the
 * purse has enough money.
 */
export function PurseFunding({ due, onFunded }: PurseFundingProps) {
  const address = useConnection()?.address;
  const chain = useChainName();
  if (address === undefined) return null;
  return (
    <div className="grid gap-4 text-sm">
      <FundBox heading={words.fundTitle}>
        <WalletAddress address={address} />
        <FundWays ways={words.fundWays(chain)} />
        <FundsWait address={address} due={due} onFunded={onFunded} />
      </FundBox>
      <FundBox heading={words.safeTitle}>
        <Bullets items={words.safe} />
        <ExportKey />
      </FundBox>
    </div>
  );
}

/** Shows where to get USDG, for wallets that are not a purse. */
export function WalletFunding({ address }: { readonly address: Address }) {
  const chain = useChainName();
  return (
    <div className="grid gap-4 text-sm">
      <FundBox heading={payment.fundTitle}>
        <WalletAddress address={address} />
      </FundBox>
      <div className="grid gap-2">
        <p className="font-semibold">{payment.fundHow(chain)}</p>
        {import.meta.env.DEVNET && <p className="text-quiet">{payment.fundDevnet}</p>}
        <FundWays ways={payment.fundWays(chain)} />
      </div>
    </div>
  );
}

function FundBox({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <section className="grid gap-3 rounded-2xl border border-line p-4">
      <h3 className="text-base font-semibold">{heading}</h3>
      {children}
    </section>
  );
}

function FundsWait({ address, due, onFunded }: PurseFundingProps & { readonly address: Address }) {
  const { data } = useQuery(queryBalance(address));
  const isEnough = data !== undefined && data.usdg >= due;
  useEffect(() => {
    if (isEnough) onFunded();
  }, [isEnough, onFunded]);
  return <Waiting>{words.fundWaits}</Waiting>;
}

/** Shows a wallet's address, to be copied or scanned. */
export function WalletAddress({ address }: { readonly address: Address }) {
  const shown = address.toLowerCase();
  return (
    <div className="flex flex-wrap items-center gap-4">
      <div className="grid size-32 shrink-0 place-items-center">
        <Suspense fallback={<Spinner />}>
          <Qr text={shown} label={words.code} />
        </Suspense>
      </div>
      <div className="grid min-w-0 flex-1 basis-40 justify-items-start gap-2">
        <code className="[overflow-wrap:anywhere]">{shown}</code>
        <Copy label={words.address} text={shown} />
      </div>
      {import.meta.env.DEVNET && <Faucet address={address} />}
    </div>
  );
}

const gifts = ["usdg", "ether"] as const;

/** The buttons that give worthless test money on the local devnet. */
function Faucet({ address }: { readonly address: Address }) {
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: async (what: (typeof gifts)[number]) => {
      const { network } = await queryClient.ensureQueryData(discovery);
      await (await import("../wallet/devnet.ts")).giveTestMoney(what, address, network.asset.address);
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      {gifts.map((what) => (
        <Button key={what} size="small" busy={isPending && variables === what} onClick={() => mutate(what)}>
          {words.gifts[what]}
        </Button>
      ))}
      <span className="text-quiet">{words.giftsNote}</span>
      <Alert>{error?.message}</Alert>
    </div>
  );
}

/** Shows how to send USDG to a wallet. */
export function FundWays({ ways }: { readonly ways: readonly string[] }) {
  const service = useQuery(discovery).data;
  return (
    <>
      <Bullets items={ways} />
      {service !== undefined && (
        <p className="flex flex-wrap items-center gap-2 text-quiet">
          {words.token}:{" "}
          <code className="text-[0.75rem] [overflow-wrap:anywhere]">
            {service.network.asset.address.toLowerCase()}
          </code>
          <Copy label={words.token} text={service.network.asset.address} />
        </p>
      )}
    </>
  );
}

type ExportState =
  | { readonly name: "idle" | "asking" | "hidden" }
  | { readonly name: "shown"; readonly key: string };

/**
 * Shows the purse's private key; each time, the person must first confirm with the passkey. The private key is never stored outside this
 * component.
 */
export function ExportKey() {
  const [stage, setStage] = useState<ExportState>({ name: "idle" });
  const [failure, setFailure] = useState<string>();
  // The private key is hidden when the reader switches to another tab or page.
  useEffect(() => {
    if (stage.name !== "shown") return;
    const hide = () => document.hidden && setStage({ name: "hidden" });
    document.addEventListener("visibilitychange", hide);
    return () => document.removeEventListener("visibilitychange", hide);
  }, [stage.name]);
  const show = async () => {
    setFailure(undefined);
    setStage({ name: "asking" });
    try {
      const purse = readPurse();
      if (purse === undefined) throw new PurseProblem("gone");
      setStage({ name: "shown", key: await exportKey(purse) });
    } catch (error) {
      setFailure(findProblem(error).message);
      setStage({ name: "idle" });
    }
  };
  return (
    <div className="grid justify-items-start gap-3">
      <p>{words.exportLead}</p>
      {stage.name === "shown" ? (
        <div className="grid justify-items-start gap-3 rounded-xl border border-warn bg-warn-soft p-3">
          <p className="font-semibold text-warn">{words.exportKey}</p>
          <code className="[overflow-wrap:anywhere]">{stage.key}</code>
          <div className="flex flex-wrap gap-3">
            <Copy label={words.exportKey} text={stage.key} />
            <Button size="small" onClick={() => setStage({ name: "hidden" })}>
              {words.exportHide}
            </Button>
          </div>
        </div>
      ) : (
        <Button busy={stage.name === "asking"} onClick={() => void show()}>
          {stage.name === "asking" ? words.asking : words.exportShow}
        </Button>
      )}
      {stage.name === "hidden" && <p role="status">{words.exportHidden}</p>}
      <Alert>{failure}</Alert>
    </div>
  );
}

/** A purse's balances: USDG in base units, ETH in wei. */
export type Balance = { readonly usdg: bigint; readonly ether: bigint };

/** Milliseconds between two checks of the balance, while the reader waits for a deposit. */
const lookAgain = 3_000;

/** Reads a purse's balances. Throws viem's errors if the chain does not answer. */
export function queryBalance(address: Address) {
  return queryOptions({
    queryKey: ["purse", address],
    queryFn: async (): Promise<Balance> => {
      const { config, service } = await loadWallets();
      const client = config.getClient();
      const token = service.network.asset.address;
      const [usdg, ether] = await Promise.all([
        readContract(client, { address: token, abi: erc20Abi, functionName: "balanceOf", args: [address] }),
        getBalance(client, { address }),
      ]);
      return { usdg, ether };
    },
    refetchInterval: lookAgain,
  });
}

/** The current network fee of a vote or a mint, in wei. */
export const transactionCost = queryOptions({
  queryKey: ["purse", "gas"],
  queryFn: async () => usualGas * (await getGasPrice((await loadWallets()).config.getClient())),
  staleTime: 30_000,
});
