import { once } from "node:events";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { ArtifactFile, type Artifacts } from "./artifacts.ts";
import { sourceKey } from "./sources.ts";

/**
 * The compiled contracts of `local/contracts`, from the file at `path` when it is of the present sources, else
 * compiled (about two seconds) and written there. Throws an Error with the compiler's words where that fails.
 */
export async function compileContracts(path: string): Promise<Artifacts> {
  const key = sourceKey();
  const cached = await readCache(path);
  if (cached?.key === key) return cached.contracts;

  const file = ArtifactFile.parse({ key, contracts: await runCompiler() });
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(file));
  await rename(draft, path);
  return file.contracts;
}

async function readCache(path: string): Promise<ArtifactFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  // A file of an older form is as good as none.
  return ArtifactFile.safeParse(JSON.parse(text)).data;
}

async function runCompiler(): Promise<unknown> {
  const worker = new Worker(new URL("./compiler.ts", import.meta.url), { execArgv: [] });
  const [artifacts] = await once(worker, "message");
  await worker.terminate();
  return artifacts;
}
