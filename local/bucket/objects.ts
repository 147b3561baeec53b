import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

/** What a bucket holds under a key. */
export type StoredObject = {
  readonly body: Buffer;
  readonly contentType: string;
  readonly cacheControl: string | undefined;
  /** With its quotes: the MD5 of the body, as S3 makes it. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
};

export type Draft = Pick<StoredObject, "body" | "contentType" | "cacheControl">;

/** The objects of one bucket. */
export type Objects = {
  readonly get: (key: string) => Promise<StoredObject | undefined>;
  /** Stores whole or not at all, also when the process dies. */
  readonly put: (key: string, draft: Draft) => Promise<StoredObject>;
};

const About = z.object({
  contentType: z.string(),
  cacheControl: z.string().optional(),
  changedAt: z.number(),
});

/** A file's name may not be longer than this, on any system. */
const longestName = 255;

/**
 * Opens the objects kept in a directory, one file for each: a line of JSON about it, then its bytes. In memory without
 * one. `deployed` finds what lies in the bucket besides, put there by whoever deploys the site.
 */
export function openObjects(
  directory: string | undefined,
  deployed: (key: string) => Promise<Draft | undefined> = async () => undefined,
): Objects {
  const kept = directory === undefined ? inMemory() : onDisk(directory);
  return {
    async get(key) {
      const found = await kept.get(key);
      if (found !== undefined) return found;
      const draft = await deployed(key);
      return draft && finished(draft, 0);
    },
    put: kept.put,
  };
}

function inMemory(): Objects {
  const objects = new Map<string, StoredObject>();
  return {
    get: async (key) => objects.get(key),
    async put(key, draft) {
      const object = finished(draft, Date.now());
      objects.set(key, object);
      return object;
    },
  };
}

function onDisk(directory: string): Objects {
  let written = 0;
  return {
    async get(key) {
      const name = fileName(key);
      const bytes = name === undefined ? undefined : await readFile(join(directory, name)).catch(absent);
      if (bytes === undefined) return undefined;
      const end = bytes.indexOf("\n");
      const { changedAt, contentType, cacheControl } = About.parse(
        JSON.parse(bytes.toString("utf8", 0, end)),
      );
      return finished({ body: bytes.subarray(end + 1), contentType, cacheControl }, changedAt);
    },
    async put(key, draft) {
      const name = fileName(key);
      if (name === undefined) throw new Error(`The key ${key} is too long for a file's name.`);
      const object = finished(draft, Date.now());
      const { body, contentType, cacheControl, changedAt } = object;
      const about = `${JSON.stringify({ contentType, cacheControl, changedAt })}\n`;
      await mkdir(directory, { recursive: true });
      written += 1;
      const draftPath = join(directory, `.${process.pid}-${written}`);
      await writeFile(draftPath, Buffer.concat([Buffer.from(about), body]));
      await rename(draftPath, join(directory, name));
      return object;
    },
  };
}

/** No slash and no leading dot is left of a key, so that it cannot name a file elsewhere or one that is half written. */
function fileName(key: string): string | undefined {
  const name = `=${encodeURIComponent(key)}`;
  return name.length > longestName ? undefined : name;
}

function finished(draft: Draft, changedAt: number): StoredObject {
  return { ...draft, etag: `"${createHash("md5").update(draft.body).digest("hex")}"`, changedAt };
}

function absent(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}
