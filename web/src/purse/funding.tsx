import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import type { Address } from "../api/request.ts";
import { discovery } from "../api/request.ts";
import { purse as words } from "../strings/purse.ts";
import { Button, Copy, Spinner } from "../ui/button.tsx";
import { walletProblem } from "../wallet/problem.ts";
import { useConnection } from "../wallet/state.ts";
import { balanceOf } from "./balance.ts";
import { PurseProblem } from "./problem.ts";
import { exportKey, knownPurse } from "./purse.ts";

const Qr = lazy(() => import("../ui/qr.tsx"));

type PurseFundingProps = { readonly due: bigint; readonly onFunded: () => void };

/** Where a purse gets its money from, and what its owner should know before. Goes on by itself once enough has come. */
export function PurseFunding({ due, onFunded }: PurseFundingProps) {
  const address = useConnection()?.address;
  if (address === undefined) return null;
  return (
    <div className="grid gap-4 text-sm">
      <Box heading={words.fundTitle}>
        <WalletAddress address={address} />
        <FundWays />
        <Arrival address={address} due={due} onFunded={onFunded} />
      </Box>
      <Box heading={words.safeTitle}>
        <Safety />
        <ExportKey />
      </Box>
    </div>
  );
}

function Box({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <section className="grid gap-3 rounded-2xl border border-line p-4">
      <h3 className="text-base font-semibold">{heading}</h3>
      {children}
    </section>
  );
}

function Arrival({ address, due, onFunded }: PurseFundingProps & { readonly address: Address }) {
  const { data } = useQuery(balanceOf(address));
  const isEnough = data !== undefined && data.usdg >= due;
  useEffect(() => {
    if (isEnough) onFunded();
  }, [isEnough, onFunded]);
  return (
    <p role="status" className="flex items-center gap-3 font-medium">
      <Spinner /> {words.fundWaits}
    </p>
  );
}

/** A wallet's address, to be copied or scanned. */
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

/** The local devnet's own way to money, which is worth nothing. */
function Faucet({ address }: { readonly address: Address }) {
  const service = useQuery(discovery).data;
  const [giving, setGiving] = useState<(typeof gifts)[number]>();
  const [failure, setFailure] = useState<string>();
  if (service === undefined) return null;
  const take = async (what: (typeof gifts)[number]) => {
    setGiving(what);
    setFailure(undefined);
    try {
      const { give } = await import("../wallet/devnet.ts");
      await give(what, address, service.network.asset.address);
    } catch (error) {
      setFailure(String(error));
    } finally {
      setGiving(undefined);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      {gifts.map((what) => (
        <Button key={what} size="small" busy={giving === what} onClick={() => void take(what)}>
          {words.gifts[what]}
        </Button>
      ))}
      <span className="text-quiet">{words.giftsNote}</span>
      {failure !== undefined && (
        <p role="alert" className="text-bad">
          {failure}
        </p>
      )}
    </div>
  );
}

/** How USDG comes to a purse. */
export function FundWays() {
  const service = useQuery(discovery).data;
  const chain = service?.network.name ?? "Robinhood Chain";
  return (
    <>
      <List items={words.fundWays(chain)} />
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

/** Tells what loses a purse, and how it comes to other devices. */
export function Safety() {
  return <List items={words.safe} />;
}

function List({ items }: { readonly items: readonly string[] }) {
  return (
    <ul className="grid list-disc gap-1.5 pl-5">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

type Stage =
  | { readonly name: "idle" | "asking" | "hidden" }
  | { readonly name: "shown"; readonly key: string };

/** Shows the key once, after the passkey has confirmed. It is in no state that outlives this part of the page. */
export function ExportKey() {
  const [stage, setStage] = useState<Stage>({ name: "idle" });
  const [failure, setFailure] = useState<string>();
  // Nobody leaves a key on a screen: another tab or another page hides it.
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
      const purse = knownPurse();
      if (purse === undefined) throw new PurseProblem("gone");
      setStage({ name: "shown", key: await exportKey(purse) });
    } catch (error) {
      setFailure(walletProblem(error).message);
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
      {failure !== undefined && (
        <p role="alert" className="text-bad">
          {failure}
        </p>
      )}
    </div>
  );
}
