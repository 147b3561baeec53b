import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSecret } from "../../../core/adapter/secrets.ts";
import { type StoredSecret, startSecrets } from "../../../local/secrets.ts";
import { AwsFailure, type LocalServer } from "../../../local/stand-in.ts";
import { localAws } from "../../support/aws.ts";

const arn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:nodes-AbCdEf";
const minute = 60_000;
let store: LocalServer;
let client: SecretsManagerClient;
let value: string | undefined;
let asked: number;
let before: () => void | Promise<void>;
let now: number;
let slept: readonly number[];
const warn = vi.fn();

beforeEach(async () => {
  [value, asked, now, slept] = ["one", 0, 1_000_000, []];
  before = () => undefined;
  warn.mockReset();
  store = await startSecrets({
    secrets: (): readonly StoredSecret[] => (value === undefined ? [] : [{ name: "nodes", arn, value }]),
    runBefore: () => {
      asked += 1;
      return before();
    },
  });
  client = new SecretsManagerClient({ endpoint: store.endpoint, ...localAws, maxAttempts: 1 });
});
afterEach(async () => {
  client.destroy();
  await store.stop();
});

/** The clock moves only when a test moves the clock, and a wait ends only when the test ends the wait. */
function openSecretReader(id = "nodes", wait: () => Promise<void> = () => new Promise(() => undefined)) {
  const clock = {
    now: () => now,
    sleep: (milliseconds: number) => {
      slept = [...slept, milliseconds];
      return wait();
    },
  };
  return openSecret({ client, clock, log: { warn } }, id, (text) => {
    if (text === "broken") throw new TypeError("It is not as it should be");
    return `parsed ${text}`;
  });
}

test.each(["nodes", arn, arn.slice(0, -7)])(
  "the secret %s is read once in five minutes, no matter how many callers ask",
  async (id) => {
    const read = openSecretReader(id);
    expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill("parsed one"));
    value = "two";
    now += 5 * minute - 1;
    expect(await read()).toBe("parsed one");
    expect(asked).toBe(1);
    now += 1;
    expect(await read()).toBe("parsed two");
    expect(asked).toBe(2);
  },
);

test.each<[string, () => void]>([
  [
    "fails",
    () => (before = () => Promise.reject(new AwsFailure("InternalServiceError", "Down", { status: 500 }))),
  ],
  ["has lost it", () => (value = undefined)],
  ["holds nonsense", () => (value = "broken")],
])(
  "functions that are already running continue to use the previous secret when the secret store %s",
  async (_, breakIt) => {
    const read = openSecretReader();
    await read();
    breakIt();
    now += 6 * minute;
    expect([await read(), await read()]).toEqual(["parsed one", "parsed one"]);
    expect(warn).toHaveBeenCalledOnce();
    expect(asked).toBe(2);
    before = () => undefined;
    value = "two";
    now += minute / 2;
    expect(await read()).toBe("parsed two");
  },
);

test("a read waits for half a second if the secret store gives no answer, and a late answer is still used", async () => {
  const answer = Promise.withResolvers<void>();
  const read = openSecretReader("nodes", async () => undefined);
  await read();
  before = () => answer.promise;
  value = "two";
  now += 6 * minute;
  expect(await read()).toBe("parsed one");
  expect(slept).toEqual([500]);
  answer.resolve();
  await expect.poll(read).toBe("parsed two");
  expect(asked).toBe(2);
});

test("a missing or broken secret leads to an error that names the cause but not the secret, and the secret store is asked again", async () => {
  value = undefined;
  const read = openSecretReader();
  await expect(read()).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  value = "broken";
  const error: unknown = await read().catch((thrown: unknown) => thrown);
  expect(String(error)).toContain("not as it should be");
  expect(String(error)).not.toContain("broken");
  value = "one";
  expect(await read()).toBe("parsed one");
});
