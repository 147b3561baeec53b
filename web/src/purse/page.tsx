import { useQuery } from "@tanstack/react-query";
import { useChainName } from "../api/discovery.ts";
import type { Address } from "../api/request.ts";
import { formatRoundedEther, formatUnitsAsDollars } from "../format.ts";
import { common } from "../strings/common.ts";
import { purse as words } from "../strings/wallet.ts";
import { Bullets, Card, Page, TextSkeleton } from "../ui/page.tsx";
import { Notice, QueryView } from "../ui/status.tsx";
import { loadWallets, useConnection } from "../wallet/state.ts";
import { canOpenPurse, PasskeyChoice } from "./choice.tsx";
import {
  type Balance,
  ExportKey,
  FundWays,
  queryBalance,
  transactionCost,
  WalletAddress,
} from "./funding.tsx";
import { MoveOut } from "./move.tsx";

/** The page of a purse: its balance, how to add and withdraw money, and how to keep access to the purse. */
export function PursePage() {
  const connection = useConnection();
  return (
    <Page title={words.title} lead={words.pageLead}>
      {connection?.isPurse === true ? <Purse address={connection.address} /> : <PurseEntry />}
    </Page>
  );
}

/** Shows how to open or make a purse, if no purse is open. */
function PurseEntry() {
  const query = useQuery({
    queryKey: ["purse", "door"],
    queryFn: async () => ({ wallets: await loadWallets(), can: await canOpenPurse() }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <div className="max-w-md">
      <QueryView query={query} failed={common.unreachable} loading={<TextSkeleton />}>
        {(found) =>
          found.can === "hidden" ? (
            <p>{words.none}</p>
          ) : (
            <PasskeyChoice {...found} onConnected={() => undefined} />
          )
        }
      </QueryView>
    </div>
  );
}

function Purse({ address }: { readonly address: Address }) {
  const { data: balance, error } = useQuery(queryBalance(address));
  const chain = useChainName();
  return (
    <div className="grid items-start gap-6 text-sm lg:grid-cols-2">
      <div className="grid gap-6">
        <Card heading={words.balance}>
          <Amounts balance={balance} failed={error !== null} />
        </Card>
        <Card heading={words.fundTitle}>
          <WalletAddress address={address} />
          <FundWays ways={words.fundWays(chain)} />
        </Card>
        <Card heading={words.alsoTitle}>
          <Transactions />
        </Card>
      </div>
      <div className="grid gap-6">
        <Card heading={words.safeTitle}>
          <Bullets items={words.safe} />
        </Card>
        <Card heading={words.exportTitle}>
          <ExportKey />
        </Card>
        <Card heading={words.moveTitle}>
          <p>{words.moveLead}</p>
          {balance !== undefined && <MoveOut from={address} balance={balance} />}
        </Card>
      </div>
    </div>
  );
}

/** The balance up to which a purse is recommended, in base units of USDG. */
const most = BigInt(import.meta.env.PURSE_ADVICE_USDG) * 1_000_000n;

function Amounts({ balance, failed }: { readonly balance: Balance | undefined; readonly failed: boolean }) {
  if (balance === undefined) return failed ? <p>{words.balanceUnknown}</p> : <TextSkeleton lines={1} />;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <strong className="figure text-title font-semibold">
          {formatUnitsAsDollars(String(balance.usdg))}
        </strong>{" "}
        <span className="text-quiet">{words.ether(formatRoundedEther(balance.ether))}</span>
      </p>
      {balance.usdg > most && (
        <Notice heading={words.adviceTitle} tone="warn">
          <p>{words.advice(formatUnitsAsDollars(String(most)))}</p>
        </Notice>
      )}
    </>
  );
}

/** Lists the actions that need ETH, and the amount of ETH that each action needs. */
function Transactions() {
  const { data: cost } = useQuery(transactionCost);
  return (
    <>
      <p>{words.also}</p>
      {cost !== undefined && <p>{words.alsoCost(formatRoundedEther(cost))}</p>}
    </>
  );
}
