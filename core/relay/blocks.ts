import * as z from "zod";
import { HashInput, lower } from "../chain/hex.ts";
import type { RpcCall } from "../port/chain.ts";

/** How many blocks are kept, and the bytes of JSON that one may have. */
const room = 64;
const largest = 64 * 1024;

/** Blocks that were asked for by their hash. A hash stands for one content, so what is kept is exact for ever. */
export type Blocks = {
  find(call: RpcCall): unknown;
  keep(call: RpcCall, result: unknown): void;
};

const Params = z.tuple([HashInput, z.boolean()]);
const Block = z.looseObject({ hash: HashInput });

/** A memory for as long as the process lives; the oldest block makes room for the newest. */
export function rememberBlocks(): Blocks {
  const kept = new Map<string, unknown>();
  return {
    find: (call) => kept.get(keyOf(call) ?? ""),
    keep(call, result) {
      const key = keyOf(call);
      const block = Block.safeParse(result);
      // Another block than was asked for, or none yet, is this moment's answer only.
      if (key === undefined || !block.success || !key.startsWith(lower(block.data.hash))) return;
      if (Buffer.byteLength(JSON.stringify(result)) > largest) return;
      kept.set(key, result);
      for (const oldest of kept.keys()) {
        if (kept.size <= room) break;
        kept.delete(oldest);
      }
    },
  };
}

function keyOf({ method, params }: RpcCall): string | undefined {
  const parsed = Params.safeParse(params);
  if (method !== "eth_getBlockByHash" || !parsed.success) return undefined;
  const [hash, full] = parsed.data;
  return `${lower(hash)} ${full}`;
}
