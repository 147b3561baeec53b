import { useQuery } from "@tanstack/react-query";
import { me } from "../api/session.ts";
import { useConnection } from "../wallet/state.ts";

export type SessionState = {
  /** Of the session, in lower case; `undefined` while it is not known, null without one. */
  readonly address: string | null | undefined;
  /** Whether another wallet is connected than the one that is signed in. */
  readonly differs: boolean;
  readonly error: unknown;
  readonly retry: () => void;
};

/** Who is signed in. */
export function useSession(): SessionState {
  const { data, error, refetch } = useQuery(me);
  const wallet = useConnection()?.address.toLowerCase();
  return {
    address: data,
    differs: typeof data === "string" && wallet !== undefined && wallet !== data,
    error,
    retry: () => void refetch(),
  };
}
