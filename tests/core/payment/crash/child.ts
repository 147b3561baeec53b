/** The process that dies: it leads the lives that it is sent, and kills itself when all stand at their point. */
import { Doom, live, stopAt } from "./life.ts";
import { watching } from "./watch.ts";

process.once("disconnect", () => process.exit());
process.once("message", async (message) => {
  const { lives, point } = Doom.parse(message);
  let running = lives.length;
  const stopped = () => {
    running -= 1;
    if (running === 0) process.kill(process.pid, "SIGKILL");
  };
  await Promise.all(
    lives.map(async (life) => {
      const ending = await watching(stopAt(point, stopped), () => live(life));
      throw new Error(`It ended without coming to the point: ${JSON.stringify(ending)}`);
    }),
  );
});
