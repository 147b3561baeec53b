import { ApiProblem } from "./request.ts";

/** How often a request is repeated while what it asked for is not confirmed yet. */
const repeats = 20;

/** Repeats a request until what it has sent is confirmed; the service sends nothing twice. Throws ApiProblem. */
export async function whilePending<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let times = 1; ; times += 1) {
    try {
      return await ask();
    } catch (error) {
      const isPending = error instanceof ApiProblem && error.code === "settlement_pending";
      if (!isPending || times === repeats) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 2) * 1000));
    }
  }
}
