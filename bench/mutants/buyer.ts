import { plant } from "./form.ts";

/** What keeps a program's purse to one signature a leg. */
export const buyer = plant(
  "client/buy.ts",
  ["tests/client/buy.test.ts"],
  [
    [
      "an expired record signs again without being asked to",
      "begun.signature === undefined && Number(begun.message.until)",
      "Number(begun.message.until)",
    ],
    ["a silent chain shows a signature dead", '() => "unknown",', '() => "dead",'],
    [
      "a signature that may be charged is renewed",
      "answer.status === 402 && work.renew && (await isDead(buyer, record))",
      "answer.status === 402 && work.renew",
    ],
    [
      "a dead signature is renewed without being asked to",
      "answer.status === 402 && work.renew && (await isDead(buyer, record))",
      "answer.status === 402 && (await isDead(buyer, record))",
    ],
    ["a press costs more than it may", "if (price > cap) {", "if (false) {"],
    [
      "a price changes between the legs",
      "BigInt(last(known)?.priceUnits ?? press.priceUnits)",
      "BigInt(press.priceUnits)",
    ],
    ["a purchase goes on at another service", "if (elsewhere !== undefined) {", "if (false) {"],
    ["a wallet signs what it cannot pay", "if (funds.balance < needed) {", "if (false) {"],
    [
      "a wallet signs what Permit2 may not move",
      'if (method === "permit2" && needed > 0n && funds.allowance < needed) {',
      "if (false) {",
    ],
    [
      "a signature is sent that is not kept",
      "const signed = { ...record, signature: await sign(account, place, record.method, record.message) }; await journal.update(signed);",
      "const signed = { ...record, signature: await sign(account, place, record.method, record.message) };",
    ],
    [
      "a signature that is kept is made anew",
      "if (record.signature !== undefined) return { ...record, signature: record.signature };",
      "",
      {},
    ],
    ["a message is signed that is not kept", "return buyer.journal.add({", "return Promise.resolve({"],
    ["an answer without the text is a purchase", '(text(answer.body, "body") ?? "") !== ""', "true"],
    [
      "an answer that says nothing is a purchase",
      'answer.status === 200 && member(answer.body, "paid") === true',
      "answer.status === 200",
    ],
    ["an answer without a transaction is a purchase", "|| !/^0x[0-9a-fA-F]{64}$/.test(transaction))", ")"],
    ["a leg that is paid is not kept as paid", "await buyer.journal.update(paid);", ""],
    [
      "the payee is not held against the press's owner",
      'leg === "fee" ? undefined : asking(ownerOf(buyer.chain, buyer.place, press.pressId))',
      "undefined",
    ],
    ["a failure after the fee says that nothing was charged", ".catch(afterFee);", ";"],
    [
      "a busy service is the end",
      "if (isAnswer && found.status !== 429 && found.status < 500) return found;",
      "if (isAnswer) return found;",
    ],
    ["a cap that is no amount is taken", "if (!/^\\d{1,9}(\\.\\d{1,6})?$/.test(amount)) {", "if (false) {"],
  ],
);
