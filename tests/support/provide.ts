import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

/**
 * Starts a part, such as a service, before the tests of a file or before each test, and stops it afterwards. Several parts start in the
 * order in which this function is called for them. The result has the part's fields, which can be read when the tests run. Throws a
 * TypeError if the fields are read before the tests run.
 */
export function startPart<Part extends { stop(): Promise<unknown> }>(
  start: () => Promise<Part>,
  { each = false } = {},
): Part {
  let part: Part | undefined;
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    part = await start();
  });
  after(() => part?.stop());
  const read = (what: string) => {
    if (part === undefined) throw new TypeError(`${what} is read before the tests run.`);
    return part;
  };
  return new Proxy(Object.create(null), {
    get: (_, name) => Reflect.get(read(String(name)), name),
    // A copy of the part, such as `{ ...part }`, also has the part's fields.
    ownKeys: () => Reflect.ownKeys(read("Each field")),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

/** Runs the work several times, one run after the other, and returns the results in order. */
export async function repeatInOrder<Value>(times: number, work: () => Promise<Value>) {
  const made: Value[] = [];
  for (let time = 0; time < times; time += 1) made.push(await work());
  return made;
}

/** Makes an empty folder for the tests of a file, and deletes the folder after these tests. */
export async function makeFolder(parent = tmpdir()): Promise<string> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "tests-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
