/** Milliseconds that a node which failed is asked after the others; twice as long each time it fails again. */
const rest = 1_000;
const longestRest = 30_000;

/** Blocks that a node may be behind the others, about three seconds of the chain. */
const patience = 30;

type State = {
  readonly failures: number;
  /** Milliseconds since the Unix epoch. */
  readonly restsUntil: number;
  readonly barredUntil: number;
  readonly behind: boolean;
};

const well: State = { failures: 0, restsUntil: 0, barredUntil: 0, behind: false };

/** What is known of the nodes: a circuit breaker for each, and who lags behind. */
export type Health<Node> = {
  /**
   * Whom to ask, best first: in the order given those that are well, with those whose rest is over (transactions go to
   * them later), then those that lag, then those that rest. One that is to be left alone is not among them.
   */
  order(sending: boolean): readonly Node[];
  /** Whether the node's last answer was a failure, so that it deserves less patience. */
  onTrial(node: Node): boolean;
  answered(node: Node): void;
  failed(node: Node): void;
  /** The node is not asked for so many milliseconds, thirty seconds at most. */
  leave(node: Node, milliseconds: number): void;
  /** The nodes' newest blocks, seen at about one time. Gives those that lag since now, by how many blocks. */
  heights(seen: ReadonlyMap<Node, number>): ReadonlyMap<Node, number>;
};

export function openHealth<Node>(nodes: readonly Node[], now: () => number): Health<Node> {
  const states = new Map<Node, State>();
  const stateOf = (node: Node) => states.get(node) ?? well;
  const change = (node: Node, changes: Partial<State>) => {
    states.set(node, { ...stateOf(node), ...changes });
  };

  function rank(node: Node, sending: boolean): number {
    const { failures, restsUntil, behind } = stateOf(node);
    if (restsUntil > now()) return 3;
    if (behind) return 2;
    // A read finds out whether a node is back; what is sent should not have to.
    return sending && failures > 0 ? 1 : 0;
  }

  return {
    order(sending) {
      return nodes
        .filter((node) => stateOf(node).barredUntil <= now())
        .toSorted((one, other) => rank(one, sending) - rank(other, sending));
    },
    onTrial: (node) => stateOf(node).failures > 0,
    answered(node) {
      change(node, { failures: 0, restsUntil: 0 });
    },
    failed(node) {
      const failures = stateOf(node).failures + 1;
      change(node, { failures, restsUntil: now() + Math.min(rest * 2 ** (failures - 1), longestRest) });
    },
    leave(node, milliseconds) {
      change(node, { barredUntil: now() + Math.min(milliseconds, longestRest) });
    },
    heights(seen) {
      const newest = newestOf([...seen.values()]);
      const late = new Map<Node, number>();
      for (const [node, height] of seen) {
        const behind = newest - height > patience;
        if (behind && !stateOf(node).behind) late.set(node, newest - height);
        change(node, { behind });
      }
      return late;
    },
  };
}

/** The height to measure by. Of three or more the second: one that runs ahead of all is believed by nobody. */
function newestOf(heights: readonly number[]): number {
  const [first = 0, second = first] = heights.toSorted((one, other) => other - one);
  return heights.length > 2 ? second : first;
}
