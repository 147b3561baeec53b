import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Press } from "../../../core/press/schema.ts";
import { history } from "../api/press.ts";
import { concerns, lastVisit, useFollowed } from "../follow/store.ts";
import { useSession } from "../session/sign-in.tsx";
import { follow, front as words } from "../strings/market.ts";
import { Badge } from "../ui/status.tsx";

type Reader = {
  /** Of the session. */
  readonly address: string | undefined;
  /** What a press is to this reader: unlocked, their own, or new from somebody they follow. */
  readonly markOf: (press: Press) => ReactNode;
};

/** Who is reading, as far as lists show it. */
export function useReader(): Reader {
  const { address } = useSession();
  const followed = useFollowed();
  const { data } = useQuery({ ...history, enabled: typeof address === "string" });
  const unlocked = new Set(data?.unlocks.map(({ slug }) => slug));
  return {
    address: address ?? undefined,
    markOf(press) {
      const isNew = isFresh(press) && concerns(followed, press);
      if (press.publisher === address) return <Badge>{words.own}</Badge>;
      if (unlocked.has(press.slug)) return <Badge tone="accent">{words.unlocked}</Badge>;
      return isNew && <Badge tone="accent">{follow.isNew}</Badge>;
    },
  };
}

/** Whether a press has come since this browser's last visit. */
export function isFresh({ publishedAt }: Press): boolean {
  return lastVisit !== undefined && Date.parse(publishedAt) > lastVisit;
}
