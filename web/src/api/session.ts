import { queryOptions } from "@tanstack/react-query";
import {
  Caller,
  Challenge,
  Ended,
  type EndInput,
  SessionList,
  SignedIn,
  SignedOut,
} from "../../../core/session/schema.ts";
import { forgetTexts } from "./press.ts";
import { getJson, meKey, postJson, queryClient, queryJson } from "./request.ts";

/** The wallet to which the cached answers and texts belong. */
let cachedFor: string | null = null;

/** The address of the session's wallet, in lower case; null without a session. */
export const me = queryOptions({
  queryKey: meKey,
  queryFn: async ({ signal }) => {
    const { address } = await getJson("/api/me", Caller, signal);
    // If another wallet has signed in on another tab, it must not get the former wallet's answers.
    if (address !== null && cachedFor !== null && address !== cachedFor) void dropSessionAnswers(address);
    cachedFor ??= address;
    return address;
  },
  staleTime: 60_000,
});

/** The message that a wallet signs to sign in (specification §4.2). */
export function requestNonce(address: string) {
  return postJson("/api/auth/nonce", { address }, Challenge);
}

/** Opens a session. Throws ApiProblem with status 401 for a wrong signature. */
export async function postProof(proof: {
  address: string;
  nonce: string;
  signature: string;
}): Promise<string> {
  const { address } = await postJson("/api/auth/verify", proof, SignedIn);
  const isSame = queryClient.getQueryData(me.queryKey) === address;
  const { claimFollows, syncFollows } = await import("../follow/sync.ts");
  claimFollows(address);
  await dropSessionAnswers(address);
  // If the wallet of a payment session signs in, pages do not notice the sign-in.
  if (isSame) void syncFollows();
  return address;
}

/** Ends the session in this browser and on the service. */
export async function signOut(): Promise<void> {
  await postJson("/api/auth/logout", undefined, SignedOut);
  await dropSessionAnswers(null);
}

/** The wallet's active sessions that the current session may see, newest first. */
export const sessions = queryJson(
  ["mine", "sessions"],
  "/api/me/sessions",
  SessionList.transform((list) => list.sessions),
);

/**
 * Ends one session of the wallet, or all sessions of the wallet except the current session. Throws ApiProblem `sign_in_required` if the
 * current session is not allowed to end sessions.
 */
export async function endSessions(scope: EndInput): Promise<void> {
  const { signedOut } = await postJson("/api/me/sessions/end", scope, Ended);
  if (signedOut) return dropSessionAnswers(null);
  const isEnded = ({ id, current }: { readonly id: string; readonly current: boolean }) =>
    "id" in scope ? id === scope.id : !current;
  // An ended session must not be shown again from the cache.
  queryClient.setQueryData(sessions.queryKey, (known) => known?.filter((session) => !isEnded(session)));
}

/**
 * Updates the session after a payment whose answer contained the press's text. With this answer, the service also opened a session for the
 * payer, unless another wallet was signed in. Returns whether the session now belongs to the payer.
 */
export async function refreshPaidSession(payer: string): Promise<boolean> {
  const address = await queryClient.fetchQuery({ ...me, staleTime: 0 });
  if (address === payer) await dropSessionAnswers(address);
  return address === payer;
}

/**
 * Drops the answers that were cached for the old session. This function must be called when the session changes. If the wallet is the same
 * as before, its answers stay on the page and are requested again.
 */
async function dropSessionAnswers(address: string | null): Promise<void> {
  queryClient.setQueryData(me.queryKey, address);
  const mine = { queryKey: ["mine"] };
  const isSame = address !== null && address === cachedFor;
  cachedFor = address;
  if (isSame) void queryClient.invalidateQueries(mine);
  else {
    forgetTexts();
    // An open page does not notice that its query was removed, so after a sign-in the queries are reset and run again.
    if (address === null) queryClient.removeQueries(mine);
    else void queryClient.resetQueries(mine);
    // The cached data of pages that are not open may contain texts that only the former wallet has bought.
    queryClient.removeQueries({ queryKey: ["press"], type: "inactive" });
  }
  await queryClient.invalidateQueries({ queryKey: ["press"] });
}
