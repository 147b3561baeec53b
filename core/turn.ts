import { setImmediate as endOfTurn } from "node:timers/promises";

/**
 * The requests of several callers in one turn of the event loop, the index at which this caller's requests begin, and the shared answer.
 */
type SharedTurn<Asked, Answer> = {
  readonly asked: readonly Asked[];
  readonly first: number;
  readonly answer: Promise<Answer>;
};

/**
 * Joins the requests of all callers in one turn of the event loop, and sends the joined request at the end of the turn. So an answer is
 * never older than its call. If `fits` returns false for the current request, the returned function begins a new request.
 */
export function openTurns<Asked, Answer>(send: (asked: readonly Asked[]) => Promise<Answer>) {
  let turn: { readonly asked: Asked[]; readonly answer: Promise<Answer> } | undefined;
  function begin() {
    const asked: Asked[] = [];
    const answer = endOfTurn().then(() => {
      if (turn?.asked === asked) turn = undefined;
      return send(asked);
    });
    return { asked, answer };
  }
  return (
    own: readonly Asked[],
    fits: (others: readonly Asked[]) => boolean = () => true,
  ): SharedTurn<Asked, Answer> => {
    if (turn === undefined || !fits(turn.asked)) turn = begin();
    const { asked, answer } = turn;
    return { asked, answer, first: asked.push(...own) - own.length };
  };
}
