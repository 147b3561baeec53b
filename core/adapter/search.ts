import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import * as z from "zod";
import { toAddress } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { GrowableIndex, IndexedPress, IndexStore, SearchIndex, SearchTerms } from "../port/search.ts";
import { findNearestWord, toPlainText } from "../search/words.ts";

/** Milliseconds for which a container uses its open index before it looks for a newer index. */
const freshFor = 60_000;

/**
 * The search index is stored as a SQLite file in a bucket. SQLite's full-text search (FTS5) opens a file of 100,000 presses in a
 * millisecond. A JSON index of 100,000 presses would take seconds to parse.
 */
export function openS3IndexStore(
  client: S3Client,
  { bucket, file, clock }: { readonly bucket: string; readonly file: string; readonly clock: Clock },
): IndexStore {
  const object = { Bucket: bucket, Key: file };
  // The old index is closed when nothing refers to it any more, because searches may still use it.
  let kept: { readonly index: SearchIndex; readonly tag: string | undefined } | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function readIndex(
    tag?: string,
  ): Promise<{ readonly bytes: Uint8Array; readonly tag: string | undefined } | undefined> {
    try {
      const answer = await client.send(
        new GetObjectCommand({ ...object, ...(tag !== undefined && { IfNoneMatch: tag }) }),
      );
      const bytes = await answer.Body?.transformToByteArray();
      return bytes && { bytes, tag: answer.ETag };
    } catch (cause) {
      // S3 answers with 403 for a missing file if the caller has no right to list the bucket.
      if (cause instanceof NoSuchKey) return undefined;
      if (cause instanceof S3ServiceException && ["NotModified", "304", "AccessDenied"].includes(cause.name))
        return undefined;
      throw makeSearchError(cause);
    }
  }

  async function refreshIndex(): Promise<void> {
    const found = await readIndex(kept?.tag);
    lookedAt = clock.now();
    if (found !== undefined) kept = { index: await loadIndex(found.bytes), tag: found.tag };
  }

  return {
    async open() {
      if (clock.now() - lookedAt > freshFor) {
        looking ??= refreshIndex().finally(() => {
          looking = undefined;
        });
        // If a newer index cannot be loaded, the index that is already open is used.
        await looking.catch((error: unknown) => {
          if (kept === undefined) throw error;
        });
      }
      return kept?.index;
    },
    async updateIndex(changeIndex) {
      const path = makeIndexPath();
      try {
        const found = await readIndex();
        if (found !== undefined) await writeFile(path, found.bytes);
        const { index, countWords, close } = openIndex(path);
        try {
          if (!(await changeIndex(index))) return;
          countWords();
        } finally {
          close();
        }
        const Body = await readFile(path);
        await client.send(new PutObjectCommand({ ...object, Body })).catch((cause: unknown) => {
          throw makeSearchError(cause);
        });
      } finally {
        await rm(path, { force: true });
      }
    },
    makeIndex(entries) {
      const { index } = openIndex(":memory:");
      index.add(entries);
      return index;
    },
  };
}

function makeSearchError(cause: unknown): AppError {
  const message = "Search is unavailable right now. The list of articles still works.";
  return new AppError("upstream", "search_unavailable", message, { cause, retryAfter: 5 });
}

const makeIndexPath = () => join(tmpdir(), `presses-${crypto.randomUUID()}.db`);

async function loadIndex(bytes: Uint8Array): Promise<SearchIndex> {
  const path = makeIndexPath();
  await writeFile(path, bytes);
  const { index } = openIndex(path);
  // The index file is deleted while it is open: the process can read the open file, and nothing is left when the process ends.
  await rm(path);
  return index;
}

/** Bylines are indexed with headlines, because readers also search for authors. */
const layout = `
  CREATE TABLE IF NOT EXISTS entry (n INTEGER PRIMARY KEY, id INTEGER UNIQUE NOT NULL, at TEXT NOT NULL);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(stock, title, preview,
    content='', detail='column', prefix='2 3', tokenize='unicode61 remove_diacritics 2');
  CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab(words, 'row');
  CREATE TABLE IF NOT EXISTS word (term TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS author (address TEXT NOT NULL, name TEXT NOT NULL, plain TEXT NOT NULL,
    presses INTEGER NOT NULL, PRIMARY KEY (address, name)) WITHOUT ROWID;
`;

const Ids = z.array(z.object({ id: z.int() }));
const Newest = z.object({ at: z.string().nullable() });
const Authors = z.array(z.object({ address: z.string().transform(toAddress), name: z.string() }));
const Terms = z.array(z.object({ term: z.string() }).transform(({ term }) => term));

/**
 * The minimum length of a word whose spelling is corrected. Words below this length are not corrected, because too many words are similar
 * to a short word.
 */
const leastMended = 4;

/**
 * All indexed words, the most frequent word first. The words are counted when the index is stored, because counting takes a second for
 * 100,000 presses.
 */
const allWords = `SELECT term FROM vocabulary WHERE length(term) >= ${leastMended} ORDER BY doc DESC`;

function openIndex(path: string) {
  const database = new DatabaseSync(path);
  database.exec(layout);
  const newest = database.prepare("SELECT max(at) AS at FROM entry");
  const found = database.prepare(
    "SELECT entry.id FROM words JOIN entry ON entry.n = words.rowid WHERE words MATCH ? ORDER BY words.rowid DESC LIMIT ?",
  );
  let terms: readonly string[] | undefined;
  const index: GrowableIndex = {
    get upTo() {
      return Newest.parse(newest.get()).at ?? undefined;
    },
    find: (wanted) => Ids.parse(found.all(writeMatchQuery(wanted), wanted.limit)).map(({ id }) => id),
    findAuthors(words, limit) {
      const all = words.map(() => "(' ' || plain) LIKE ? ESCAPE '\\'").join(" AND ");
      const query = `SELECT address, name FROM author WHERE ${all} ORDER BY presses DESC, name LIMIT ?`;
      const patterns = words.map((word) => `% ${word.replace(/[\\%_]/g, "\\$&")}%`);
      return Authors.parse(database.prepare(query).all(...patterns, limit));
    },
    findNearWord(word) {
      if (word.length < leastMended) return undefined;
      terms ??= readWordList(database);
      return findNearestWord(word, terms);
    },
    add(entries) {
      terms = undefined;
      return addPresses(database, entries);
    },
  };
  const countWords = () => database.exec(`DELETE FROM word; INSERT INTO word ${allWords}`);
  return { index, countWords, close: () => database.close() };
}

/** Reads the stored list of words. An index without a stored list of words is small, so its words are counted when the list is read. */
function readWordList(database: DatabaseSync): readonly string[] {
  const stored = Terms.parse(database.prepare("SELECT term FROM word ORDER BY rowid").all());
  return stored.length > 0 ? stored : Terms.parse(database.prepare(allWords).all());
}

function writeMatchQuery({ words, inTitle, stock }: SearchTerms): string {
  const terms = words.map(({ text, isPrefix }) => `"${text.replaceAll('"', "")}"${isPrefix ? "*" : ""}`);
  const where = inTitle ? "{stock title}" : "{stock title preview}";
  const parts = terms.map((term) => `${where} : ${term}`);
  return [...parts, ...(stock === undefined ? [] : [`stock : "${makeStockWord(stock)}"`])].join(" AND ");
}

/** A ticker as one word of the index. FTS5 refuses a search for two successive words, and would split "BRK.B" into two words. */
function makeStockWord(stock: string): string {
  return stock.replace(/[^A-Za-z0-9]/g, "");
}

/** Adds presses to the index, and returns whether any press was new. */
function addPresses(database: DatabaseSync, entries: readonly IndexedPress[]): boolean {
  const numbered = database.prepare(
    "INSERT INTO entry (n, id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING n",
  );
  const words = database.prepare("INSERT INTO words (rowid, stock, title, preview) VALUES (?, ?, ?, ?)");
  const author = database.prepare(
    "INSERT INTO author VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET presses = presses + 1",
  );
  let isNew = false;
  database.exec("BEGIN");
  for (const { id, publishedAt, headline, preview, publisher, publisherName, stock, company } of entries) {
    // The rows are in the order in which the presses went live, even if an older press is added later.
    const place = Date.parse(publishedAt) * 1024 + (id % 1024);
    const row = z
      .object({ n: z.int() })
      .optional()
      .parse(numbered.get(place, id, publishedAt));
    if (row === undefined) continue;
    isNew = true;
    const title = `${headline} ${publisherName} ${company} ${stock}`;
    // The query's words are plain text, too. FTS5 itself removes the diacritics of Latin letters only.
    words.run(row.n, makeStockWord(stock), toPlainText(title), toPlainText(preview));
    author.run(publisher, publisherName, toPlainText(publisherName));
  }
  database.exec("COMMIT");
  return isNew;
}
