import { queryOptions } from "@tanstack/react-query";
import * as z from "zod";
import { queryClient } from "./client.ts";
import { getJson, postJson } from "./request.ts";

const Me = z.object({ address: z.string().nullable() });

/** The wallet that the session belongs to, in lower case, or null without a session. */
export const me = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => (await getJson("/api/me", Me, signal)).address,
  staleTime: 60_000,
});

const Nonce = z.object({ nonce: z.string(), message: z.string() });
const SignedIn = z.object({ address: z.string() });

/** The message that a wallet has to sign to sign in (specification §4.2). */
export function askNonce(address: string) {
  return postJson("/api/auth/nonce", { address }, Nonce);
}

/** Opens a session. Throws ApiProblem with status 401 for a wrong signature. */
export async function verify(proof: { address: string; nonce: string; signature: string }): Promise<string> {
  const { address } = await postJson("/api/auth/verify", proof, SignedIn);
  await sessionChanged(address);
  return address;
}

/** Ends the session here and on the service. */
export async function signOut(): Promise<void> {
  await postJson("/api/auth/logout", undefined, Me);
  await sessionChanged(null);
}

/** To be told whenever the session became another one: what was read for the old one is forgotten. */
export async function sessionChanged(address: string | null): Promise<void> {
  queryClient.setQueryData(me.queryKey, address);
  queryClient.removeQueries({ queryKey: ["mine"] });
  await queryClient.invalidateQueries({ queryKey: ["press"] });
}
