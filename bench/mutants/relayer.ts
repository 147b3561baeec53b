import { plant } from "./form.ts";

const payments = (name: string) => `tests/core/payment/${name}.test.ts`;
const guards = payments("guards");
const pool = "tests/core/relayer/pool.test.ts";
const carried = "tests/core/relayer/carry.test.ts";
const moves = "tests/core/move/move.test.ts";
const attacks = "tests/attack/relayed-move.test.ts";

/** What keeps a key to one transaction at a time, and our gas to its bounds. */
export const relayer = [
  ...plant(
    "core/relayer/key.ts",
    [pool, guards],
    [
      [
        "a key is leased again though its transaction was stored late",
        "AND ${notExists(item.inFlight)})))`",
        ")))`",
        { tests: [`${guards}: stored late`] },
      ],
      [
        "a key that was used meanwhile is leased by its old nonce",
        "(${eq(item.nextNonce, nextNonce)} AND (${notExists(item.lease)}",
        "((${notExists(item.lease)}",
        { tests: [guards] },
      ],
      [
        "two hold one key",
        "(${lt(item.leaseUntil, now)} AND ${notExists(item.inFlight)})",
        "${notExists(item.inFlight)}",
        { tests: [guards, payments("batch"), payments("load")] },
      ],
      [
        "a key is given back by who no longer holds it",
        ".add({ nextNonce: used ? 1 : 0 }) .where((item, { eq }) => eq(item.lease, lease))",
        ".add({ nextNonce: used ? 1 : 0 })",
        { tests: [guards, payments("load"), payments("batch")] },
      ],
      [
        "a transaction is stored under a lease that others have taken",
        "...(crowd !== undefined && { crowdUntil: crowd.now + crowdTime }), }) .where((item, { eq }) => eq(item.lease, lease))",
        "...(crowd !== undefined && { crowdUntil: crowd.now + crowdTime }), })",
        { tests: [`${guards}: lost its key`] },
      ],
      ["a held key seems free", '|| (key.state === "leased" && key.until >= now);', ";"],
      [
        "the chain's nonce alone counts",
        "return Math.max(nextNonce, nonce);",
        "return nonce;",
        { tests: [guards, pool] },
      ],
      ["our nonce alone counts", "return Math.max(nextNonce, nonce);", "return nextNonce;"],
      ["a nonce is counted that the chain has not seen", "used ? 1 : 0", "1"],
      ["a used nonce is not counted", "used ? 1 : 0", "0", { tests: [guards, pool] }],
      [
        "a living lease's transaction is cleared",
        'key.state === "sending" && key.until < now',
        'key.state === "sending"',
        { tests: [pool, guards, payments("crash-recovery")] },
      ],
      [
        "a lapsed lease's transaction is nobody's business",
        'key.state === "sending" && key.until < now',
        "false",
      ],
    ],
  ),
  ...plant(
    "core/relayer/gas-budget.ts",
    [guards],
    [
      [
        "sharing is always allowed",
        "return (data?.spent ?? 0) < gasLimitsOf(settings).failuresPerDay / sharedPart;",
        "return true;",
        { tests: [`${guards}: share no transaction`] },
      ],
      [
        "a claim is written while its wallet cools down",
        "lte(cooldownUntil, now)",
        "lte(cooldownUntil, Number.MAX_SAFE_INTEGER)",
        { tests: [`${guards}: is about to be claimed waits`] },
      ],
    ],
  ),
  ...plant(
    "core/relayer/outbox.ts",
    [payments("replace"), pool],
    [
      [
        "a key that lapsed is not freed where what it sent has ended",
        "if (receipt !== undefined || !waits) await endTransaction(ports, transaction, receipt);",
        "if (receipt !== undefined) await endTransaction(ports, transaction, receipt);",
        { tests: [payments("batch"), payments("crash-recovery"), payments("crash")] },
      ],
      [
        "a retired key signs a replacement",
        "if (!(await ports.relayers.addresses()).includes(toAddress(item.relayer))) return item;",
        "",
        { tests: [`${guards}: taken out of the pool`] },
      ],
      [
        "what has landed is replaced",
        "if (landedIn(item, rest.slice(0, receipts.length)) !== undefined) return undefined;",
        "",
        { tests: [payments("replace"), guards, "tests/core/verdict/resolve.test.ts"] },
      ],
      [
        "a batch that was answered out of order replaces what has landed",
        "if (nonce > item.nonce && landedIn(item, await ports.chain.batch(receipts)) !== undefined) return undefined;",
        "",
      ],
      [
        "a replacement takes the place of another one",
        '`${eq(state, "stored")} AND ${eq(last, item.rawTx)}`',
        'eq(state, "stored")',
      ],
      [
        "a transaction that has ended is replaced",
        '`${eq(state, "stored")} AND ${eq(last, item.rawTx)}`',
        "eq(last, item.rawTx)",
        { tests: [guards, payments("replace")] },
      ],
      [
        "any receipt of a replaced transaction ends it",
        "receipts.find(({ transactionHash }) => transactionHash === hashes[0])",
        "receipts[0]",
      ],
      [
        "an old transaction's nonce is counted",
        "used: own !== undefined && own === hashes?.[0],",
        "used: own !== undefined,",
        { tests: [pool, guards] },
      ],
      [
        "a transaction ends twice",
        '.set({ state: own === undefined ? "over" : "landed" }) .where(({ state }, { eq }) => eq(state, "stored"))',
        '.set({ state: own === undefined ? "over" : "landed" })',
        { tests: [guards, payments("batch")] },
      ],
      [
        "a verdict that is posted is signed again",
        "if (guard?.isOver(rest[receipts.length]) === true) return undefined;",
        "",
        { tests: ["tests/core/verdict/resolve.test.ts", "tests/core/verdict/post.test.ts"] },
      ],
      [
        "a verdict is signed under a lower nonce",
        "now.mayGoBack ? now.nonce !== nonce : now.nonce > nonce",
        "now.nonce !== nonce",
        { tests: ["tests/core/verdict/resolve.test.ts", "tests/core/verdict/post.test.ts"] },
      ],
      [
        "a leg waits behind a nonce that nothing fills",
        "now.mayGoBack ? now.nonce !== nonce : now.nonce > nonce",
        "now.nonce > nonce",
      ],
      [
        "another transaction's receipt ends ours",
        "if (receipt.success && receipt.data.transactionHash === txHash) return receipt.data;",
        "if (receipt.success) return receipt.data;",
        { tests: [guards, payments("verify-faults")] },
      ],
      [
        "a rejection for good is waited for",
        'return outcome.status !== "ok" && rejected.test(outcome.message);',
        "return false;",
        { tests: [payments("batch")] },
      ],
      [
        "a node without the newer method is not asked by the older one",
        'return sendBy(ports, "eth_sendRawTransaction", rawTx, ports.clock.now() + resendTime);',
        "return outcome;",
        { tests: [pool, payments("pending")] },
      ],
      [
        "a transaction is sent under a key that others have",
        "key: keyInFlight(entities, { address, lease: id, nonce }, undefined),",
        "",
        { tests: [guards, payments("replace"), pool] },
      ],
    ],
  ),
  ...plant(
    "core/relayer/batch.ts",
    [payments("batch")],
    [
      [
        "a wallet that has gained code shares a transaction",
        'result(codes[index], Bytes) !== "0x"',
        'result(codes[index], Bytes) === ""',
      ],
      [
        "code that burns gas in the simulation costs its neighbours their place",
        "const seen = isMixed ? await look(ports, relayer, plain) : first;",
        "const seen = first;",
      ],
      [
        "what would fail shares a transaction",
        "seen.plain.filter((item) => seen.succeeding.has(item))",
        "seen.plain",
      ],
      [
        "a key carries more than it can pay",
        "cost <= known.balance && (index",
        "(index",
        { tests: [guards, payments("batch"), pool] },
      ],
      [
        "a transaction takes more gas than a block has",
        "cost <= known.balance && (index === 0 || gas <= mostGas)",
        "cost <= known.balance",
        { tests: [guards, payments("batch")] },
      ],
      ["one leg's failure fails all of them", "allowFailure: true", "allowFailure: false"],
      [
        "one leg goes as a batch of one",
        "return only !== undefined && calls.length === 1 ? only : batchOf(calls);",
        "return batchOf(calls);",
        { tests: [payments("batch"), pool, guards] },
      ],
    ],
  ),
  ...plant(
    "core/relayer/gas.ts",
    [pool, guards],
    [
      [
        "what is signed pays any price",
        "doubled < maxPrice ? doubled : maxPrice",
        "doubled",
        { tests: ["tests/attack/gas-drain.test.ts"] },
      ],
      [
        "a replacement pays any price",
        "return (maxFeePerGas * 11n) / 10n <= maxPrice;",
        "return true;",
        { tests: [guards, payments("replace"), "tests/core/verdict/resolve.test.ts"] },
      ],
      [
        "gas has no room",
        "return (estimate * 5n) / 4n;",
        "return estimate;",
        { tests: [payments("batch"), payments("verify"), pool] },
      ],
    ],
  ),
  ...plant(
    "core/relayer/operators.ts",
    ["tests/core/relayer/kms-signer.test.ts"],
    [
      [
        "addresses are believed for ever",
        "data.writtenAt < clock.now() - freshFor",
        "false",
        { tests: ["tests/core/relayer/kms-signer.test.ts"] },
      ],
    ],
  ),
  ...plant(
    "core/relayer/carry.ts",
    [pool, payments("batch")],
    [
      [
        "a key without gas signs alone",
        "if (relayer.balance < feeCap({ gas, gasPrice, maxPrice })) {",
        "if (false) {",
      ],
      [
        "a claim that lapsed is sent",
        "if (sent === undefined) { await records.release(item);",
        "if (sent === undefined) { await broadcast(ports, transaction);",
        { tests: [guards] },
      ],
      [
        "what goes alone waits for ever",
        'if (pause === undefined) return records.unsent("held");',
        "if (pause === undefined) waiting.push(...pauses);",
        { tests: [carried] },
      ],
      [
        "a key without gas is tried again and again",
        "if (ended === undefined) withoutGas.add(key.address);",
        "",
        { tests: [pool] },
      ],
    ],
  ),
  ...plant(
    "core/relayer/crowd.ts",
    [carried, payments("batch")],
    [
      [
        "two leaders of one process take the same ones along",
        "listed.filter(({ claim }) => !loading.has(claim) && !elsewhere.has(claim))",
        "listed.filter(({ claim }) => !elsewhere.has(claim))",
      ],
      [
        "nobody looks for a key when the one that did has left",
        "} finally { leaveQueue(ports, [claim]);",
        "} finally { waiters.queue.delete(claim);",
      ],
      [
        "intents are loading for ever when their leader fails",
        "} finally { for (const { claim } of taken) loading.delete(claim); }",
        "} finally { void loading; }",
      ],
      [
        "an account has two intents in one transaction",
        "waiting.filter(({ account }) => !accounts.has(account) && accounts.add(account))",
        "waiting",
        { tests: [payments("batch")] },
      ],
      [
        "gas may cost anything where intents share it",
        "if (gasPrice > maxPrice) throw new Error",
        "if (false) throw new Error",
        { tests: [guards, payments("batch")] },
      ],
      [
        "an intent that would fail is sent by its own request",
        'if (own === undefined || unfit.some(({ item }) => item === own)) return "unfit";',
        'if (own === undefined) return "unfit";',
        { tests: [payments("batch"), guards] },
      ],
      [
        "who waits in a crowd waits for ever",
        "for (let waited = 0; waited < longestWait; ) {",
        "for (let waited = 0; ; ) {",
        { tests: [pool] },
      ],
      [
        "who has waited in vain is not told that others have sent it",
        'if (await records.release(item)) return { ending: await records.unsent("held") };',
        'await records.release(item); return { ending: await records.unsent("held") };',
      ],
      [
        "those that were taken along are not told how it has landed",
        "for (const claim of others) ring(all.get(claim), landing);",
        "",
        { tests: [payments("budget")] },
      ],
      [
        "a key is held until the last of those that share it has ended",
        "landing = { ...landing, transaction: await endTransaction(ports, landing.transaction, landing.receipt), };",
        "",
        {
          tests: [payments("batch"), payments("crash-recovery")],
          excuse: {
            kind: "equivalent",
            reason: "the first leg that ends by the receipt frees the key just as well",
          },
        },
      ],
    ],
  ),
  ...plant(
    "core/move/index.ts",
    [moves, attacks],
    [
      [
        "a stranger's signature moves",
        "!(await signedByKey(authorization.from, digest, signature))",
        "false",
      ],
      ["a move goes beyond its wallet's credit", "if (cost > credit) throw withoutCredit(cost, credit);", ""],
      [
        "a spent nonce is sent at our cost",
        "if (result(spent, Word) !== 0n) throw used();",
        "",
        { tests: [attacks] },
      ],
      ["what moves have cost is not counted", "- spentOf(last, now);", ";", { tests: [attacks] }],
      [
        "a move is begun beside one that a dead process has left",
        'last?.state === "sent" ? await resume(ports, last) : last',
        "last",
      ],
      ["a replacement offers more than was reserved", "maxPrice: maxFeePerGas", "maxPrice"],
      ["what was sent in vain costs nothing", "transaction }, sent.reserved)", "transaction })"],
    ],
  ),
  ...plant(
    "core/move/record.ts",
    [moves, attacks],
    [
      [
        "two moves of a wallet are claimed at once",
        "`${eq(claim, judged.claim)} AND ${eq(state, judged.state)}`",
        "eq(wallet, judged.wallet)",
        { tests: [attacks] },
      ],
      ["what was reserved is not given back", ".add({ spent: cost - reserved })", ".add({ spent: cost })"],
    ],
  ),
];
