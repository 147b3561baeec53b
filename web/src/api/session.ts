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
import { getJson, postJson, queryClient } from "./request.ts";

/** The wallet that the session belongs to, in lower case, or null without a session. */
export const me = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => (await getJson("/api/me", Caller, signal)).address,
  staleTime: 60_000,
});

/** The message that a wallet has to sign to sign in (specification §4.2). */
export function askNonce(address: string) {
  return postJson("/api/auth/nonce", { address }, Challenge);
}

/** Opens a session. Throws ApiProblem with status 401 for a wrong signature. */
export async function verify(proof: { address: string; nonce: string; signature: string }): Promise<string> {
  const { address } = await postJson("/api/auth/verify", proof, SignedIn);
  await sessionChanged(address);
  return address;
}

/** Ends the session here and on the service. */
export async function signOut(): Promise<void> {
  await postJson("/api/auth/logout", undefined, SignedOut);
  await sessionChanged(null);
}

/** The wallet's living sessions, newest first, as far as this one may see them. */
export const sessions = queryOptions({
  queryKey: ["mine", "sessions"],
  queryFn: async ({ signal }) => (await getJson("/api/me/sessions", SessionList, signal)).sessions,
});

/** Ends sessions of the wallet. Throws ApiProblem, `sign_in_required` where this session may not. */
export async function endSessions(which: EndInput): Promise<void> {
  const { signedOut } = await postJson("/api/me/sessions/end", which, Ended);
  if (signedOut) return sessionChanged(null);
  const ended = ({ id, current }: { readonly id: string; readonly current: boolean }) =>
    "id" in which ? id === which.id : !current;
  // What was ended is not shown again, whatever was read before.
  queryClient.setQueryData(sessions.queryKey, (known) => known?.filter((session) => !ended(session)));
}

/**
 * To be called when a payment has brought its text: it has opened a session of the payer, unless a sign-in of another wallet
 * was there. Answers whether the session is the payer's.
 */
export async function sessionAfterPayment(payer: string): Promise<boolean> {
  const address = await queryClient.fetchQuery({ ...me, staleTime: 0 });
  if (address === payer) await sessionChanged(address);
  return address === payer;
}

/** To be told whenever the session became another one: what was read for the old one is forgotten. */
async function sessionChanged(address: string | null): Promise<void> {
  forgetTexts();
  queryClient.setQueryData(me.queryKey, address);
  queryClient.removeQueries({ queryKey: ["mine"] });
  await queryClient.invalidateQueries({ queryKey: ["press"] });
}
