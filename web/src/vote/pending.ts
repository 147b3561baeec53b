import * as z from "zod";
import { VoteTag, VoteValue } from "../../../core/vote/schema.ts";
import { HashForm } from "../api/request.ts";
import { kept } from "../store/kept.ts";

/** Votes that were sent and are not counted yet, by press: a reload goes on with them instead of sending another. */
export const pendingVotes = kept(
  "vote",
  z.object({ tx: HashForm, value: VoteValue.optional(), tag: VoteTag.optional() }),
);
