/** The process that dies: it runs the payments that it receives, and kills itself when each payment has reached the point of its death. */
import { trustModels } from "../../../support/checked-models.ts";
import { Doom, runLife, stopAt } from "./life.ts";
import { runWatched } from "./watch.ts";

trustModels();
process.once("disconnect", () => process.exit());
process.once("message", async (message) => {
  const doom = Doom.parse(message);
  let running = doom.length;
  const stopped = () => {
    running -= 1;
    if (running === 0) process.kill(process.pid, "SIGKILL");
  };
  await Promise.all(
    doom.map(async ({ life, point }) => {
      const ending = await runWatched(stopAt(point, stopped), () => runLife(life));
      throw new Error(`It ended without coming to ${JSON.stringify(point)}: ${JSON.stringify(ending)}`);
    }),
  );
});
