import type { Part } from "./parts.ts";

/**
 * EventBridge's part: runs a job at the start, which is when something may have been left behind, and then every so
 * many minutes, never beside itself. A run that fails is told and the next one comes all the same. `stop` waits for
 * the run under way.
 */
export function startSchedule(
  everyMinutes: number,
  id: string,
  run: (event: unknown) => Promise<unknown>,
): Part {
  let running: Promise<void> | undefined;
  const tick = () => {
    running ??= run({ source: "aws.events", time: new Date().toISOString() })
      .then(
        () => undefined,
        (error: unknown) => console.error(`The scheduled ${id} failed:`, error),
      )
      .finally(() => {
        running = undefined;
      });
  };
  tick();
  const timer = setInterval(tick, everyMinutes * 60_000);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
