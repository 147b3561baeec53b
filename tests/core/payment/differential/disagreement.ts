import type { Case } from "./case.ts";
import type { Change } from "./change.ts";
import type { Verdict } from "./judge.ts";

export type Judged = { readonly case: Case; readonly ours: Verdict; readonly theirs: Verdict };

/** Whether both judges accept, or both refuse with the same code. */
export function isSameVerdict({ ours, theirs }: Judged): boolean {
  return ours.kind === "refused"
    ? theirs.kind === "refused" && ours.code === theirs.code
    : ours.kind === "accepted" && theirs.kind === "accepted";
}

const malformed = ({ ours }: Judged) => ours.kind === "refused" && ours.code === "malformed_payment_header";
const both = ({ ours, theirs }: Judged) => ours.kind === "refused" && theirs.kind === "refused";
const weAloneRefuse = ({ ours, theirs }: Judged) => ours.kind === "refused" && theirs.kind === "accepted";
const weAloneAccept = ({ ours, theirs }: Judged, code: string) =>
  ours.kind === "accepted" && theirs.kind === "refused" && theirs.code === code;

const changed = ({ case: { changes } }: Judged, test: (change: Change) => boolean) => changes.some(test);
const form = (name: string) => (change: Change) => change.kind === "signature" && change.form === name;
const below =
  (...path: readonly string[]) =>
  (change: Change) =>
    (change.kind === "document" || change.kind === "writing") &&
    path.every((key, index) => change.path[index] === key);
const ofNumber = (change: Change) =>
  below("payload", "permit2Authorization")(change) &&
  "path" in change &&
  /^(amount|nonce|deadline|validAfter)$/.test(change.path.at(-1) ?? "");

/** The faults of a test case, each of which may be reported first: the changes, the payer's state, a broken signature. */
function countFaults({ case: { changes, payer } }: Judged): number {
  const state = /^(without|frozen|delegated to no)/.test(payer) ? 1 : 0;
  const broken = changes.filter((change) => change.kind === "document" && below("payload")(change)).length;
  return changes.length + state + broken;
}

/**
 * Every way in which this service may differ from the x402 library's facilitator, with the reason for each difference. The first matching
 * row explains a disagreement; a disagreement without a row is a fault of the service or of the library.
 */
export const disagreements: readonly {
  readonly name: string;
  readonly holds: (judged: Judged) => boolean;
}[] = [
  {
    name: "the library throws on what is no number, address, object or signature; here the header is malformed",
    holds: (judged) => malformed(judged) && judged.theirs.kind === "threw",
  },
  {
    name: "what has not the form that §4.4 gives it is malformed here, before anything is compared or recovered",
    holds: (judged) => malformed(judged) && both(judged),
  },
  {
    name: "the library never looks at x402Version; another version is malformed here",
    holds: (judged) => malformed(judged) && weAloneRefuse(judged) && changed(judged, below("x402Version")),
  },
  {
    name: "the library reads numbers as BigInt does (hexadecimal, padded, empty, JSON's own); §4.4 says decimal strings",
    holds: (judged) => malformed(judged) && weAloneRefuse(judged) && changed(judged, ofNumber),
  },
  {
    name: "of `accepted` the library reads scheme and network; amount, asset and payTo must be what is due here",
    holds: (judged) => weAloneRefuse(judged) && changed(judged, below("accepted")),
  },
  {
    name: "recovery ids 0 and 1 are brought to 27 and 28 here; the library sends them on, and Permit2 refuses them",
    holds: (judged) =>
      weAloneAccept(judged, "permit2_simulation_failed") && changed(judged, form("recovery id 0 or 1")),
  },
  {
    name: "EIP-2098 is accepted here and by Permit2; the library knows 65 bytes only",
    holds: (judged) =>
      weAloneAccept(judged, "invalid_permit2_signature") && changed(judged, form("the 64 bytes of EIP-2098")),
  },
  {
    name: "a spent nonce has a code of its own here; to the library it is a simulation that failed",
    holds: ({ ours, theirs }) =>
      ours.kind === "refused" &&
      ours.code === "permit2_invalid_nonce" &&
      theirs.kind === "refused" &&
      theirs.code === "permit2_simulation_failed",
  },
  {
    name: "a nonce that was presented for another leg is bound to that here; the chain, and so the library, cannot know",
    holds: (judged) =>
      judged.ours.kind === "refused" &&
      judged.ours.code === "permit2_invalid_nonce" &&
      weAloneRefuse(judged) &&
      judged.case.leg === "publisher" &&
      changed(judged, (change) => change.kind === "signed number" && change.field === "nonce"),
  },
  {
    name: "a deadline farther than ten minutes ahead is refused here, for others can charge the permit for as long",
    holds: (judged) =>
      judged.ours.kind === "refused" &&
      judged.ours.code === "permit2_deadline_too_far" &&
      weAloneRefuse(judged) &&
      changed(judged, (change) => change.kind === "signed number" && change.field === "deadline"),
  },
  {
    name: "where several things are wrong, the signature comes before amount, payee and times here (design §4)",
    holds: (judged) => both(judged) && countFaults(judged) > 1,
  },
];
