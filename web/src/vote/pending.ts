import * as z from "zod";
import { VoteTag, VoteValue } from "../../../core/vote/schema.ts";
import { HashForm } from "../api/request.ts";
import { openDrawer } from "../store/kept.ts";

/**
 * Votes that were sent and are not counted yet, by press. After a reload they are counted, and no second vote
 * is sent.
 */
export const pendingVotes = openDrawer(
  "vote",
  z.object({ tx: HashForm, value: VoteValue.optional(), tag: VoteTag.optional() }),
);
