import { ApiProblem, send } from "../api/request.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { type Leg, legPaths } from "./purchase.ts";

/** Milliseconds to wait for an answer: a little more than the service's own limit. */
const patience = 32_000;

type Posted = {
  readonly answer: Answer;
  /** The service's time, in seconds since the epoch, where it told it. */
  readonly servedAt: number | undefined;
};

/** Posts one leg, without a payment for its terms. Never throws: no answer is an answer, too. */
export async function post(leg: Leg, pressId: number, header: string | undefined): Promise<Posted> {
  try {
    const { response, body } = await send(legPaths[leg], {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        ...(header !== undefined && { "payment-signature": header }),
      },
      body: JSON.stringify({ pressId }),
      signal: AbortSignal.timeout(patience),
    });
    const { status, headers } = response;
    const date = Date.parse(headers.get("date") ?? "");
    return {
      answer: readAnswer(status, headers.get("retry-after"), body),
      servedAt: Number.isNaN(date) ? undefined : Math.floor(date / 1000),
    };
  } catch (error) {
    if (error instanceof ApiProblem || error instanceof DOMException) {
      return { answer: { kind: "lost" }, servedAt: undefined };
    }
    throw error;
  }
}
