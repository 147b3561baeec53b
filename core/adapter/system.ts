import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock, Ids } from "../port/clock.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, how) =>
    delay(how === "upTo" ? randomInt(Math.max(0, Math.floor(milliseconds)) + 1) : milliseconds),
};

export const systemIds: Ids = {
  secret: () => randomBytes(32).toString("base64url"),
  nonce: () => randomBytes(16).toString("hex"),
  uuid: () => randomUUID(),
  pick: (below) => randomInt(below),
};
