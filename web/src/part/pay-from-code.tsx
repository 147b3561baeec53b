import type { Press } from "../../../core/press/schema.ts";
import { type Discovery, discovery } from "../api/discovery.ts";
import { useSource } from "../api/source.ts";
import { approveProgram, install, payProgram } from "../sample.ts";
import { formatUsdg, splitPrice } from "../usdg.ts";
import { Code } from "./code.tsx";
import { Failure } from "./notice.tsx";
import { TextSkeleton } from "./skeleton.tsx";

type Payable = Pick<Press, "pressId" | "priceUnits">;

/** How a program or a terminal pays for a press today. The terms come from the service, not from this page. */
export function PayFromCode({ press }: { readonly press: Payable }) {
  const reading = useSource(discovery, "");
  const { fee, publisher } = splitPrice(press.priceUnits);
  return (
    <section className="pay" aria-labelledby="pay" aria-busy={reading.state === "loading"}>
      <h2 id="pay">Pay from code</h2>
      <p>
        The text costs <strong>{formatUsdg(press.priceUnits)} USDG</strong>, paid with x402 in two steps:{" "}
        {formatUsdg(fee)} to the platform, then {formatUsdg(publisher)} to the owner of the press. The answer
        to the second carries the text. This page cannot take payments yet; an agent or a terminal can.
      </p>
      {reading.state === "loading" && <TextSkeleton />}
      {reading.state === "failed" && (
        <Failure
          heading="The payment details could not be loaded"
          problem={reading.problem}
          retry={reading.retry}
        />
      )}
      {reading.state === "ready" && <Steps press={press} service={reading.value} />}
    </section>
  );
}

function Steps({ press, service }: { readonly press: Payable; readonly service: Discovery }) {
  const { name, asset } = service.network;
  return (
    <ol className="steps">
      <li>
        <p>
          Take a wallet that holds {asset.symbol} on {name}. Its key stays with your program, in{" "}
          <code>PRIVATE_KEY</code>.
        </p>
        <Code label="Install the official client" text={install} />
      </li>
      <li>
        <p>
          Once per wallet, let Permit2 move its {asset.symbol}. This is the only transaction that the wallet
          sends itself; it needs a little of the chain’s gas token. The allowance is unlimited, and every
          payment still takes a signature.
        </p>
        <details>
          <summary>Show the approval</summary>
          <Code label="approve.mjs" text={approveProgram(service, window.location.origin)} />
        </details>
      </li>
      <li>
        <p>
          Pay and print. A wallet that has paid a step is not charged for it again; if the answer says that a
          payment is under way, run the program again.
        </p>
        <Code label="pay.mjs" text={payProgram(press, service)} />
      </li>
    </ol>
  );
}
