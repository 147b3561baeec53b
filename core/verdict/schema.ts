import * as z from "zod";
import { FullReport } from "../audit/schema.ts";

/** The queue's message: a press that has gone live. */
export const VerdictMessage = z.object({ id: z.int().positive() });
export type VerdictMessage = z.infer<typeof VerdictMessage>;

const ofFeedback = {
  agentRegistry: z.string(),
  agentId: z.int(),
  clientAddress: z.string().describe("The auditor."),
  createdAt: z.string().meta({ format: "date-time" }),
  value: z.int(),
  valueDecimals: z.int(),
  tag1: z.string(),
  tag2: z.string(),
  endpoint: z.string(),
};

/**
 * The public report of a live press. After the auditor has posted the verdict on a press, the report of the press is also the feedback file
 * of ERC-8004.
 */
export const ReportFile = z.object({
  ...FullReport.unwrap().shape,
  ...z.object(ofFeedback).partial().shape,
});
