import type { AppError } from "../../core/error.ts";
import { type HttpProblem, problemReply } from "../../functions/lib/problem.ts";
import { type Answer, inferAnswer } from "./answer.ts";

/** A refusal by the front itself, in the form of design §2. Without an error it is a defect of ours: 500. */
export function problem(
  error: AppError | HttpProblem | undefined,
  requestId: string,
  headers: Answer["headers"] = {},
): Answer {
  const answer = inferAnswer(problemReply(error, requestId));
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
