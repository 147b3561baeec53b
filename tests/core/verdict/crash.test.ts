import { expect, test } from "vitest";
import { post } from "../../../core/verdict/index.ts";
import { makeDyingPorts } from "../../support/interference.ts";
import { startPart } from "../../support/provide.ts";
import { makeCrashingPorts, makeLaterPorts } from "./crashing-ports.ts";
import { listVerdicts, makeLivePress, readAuditTx, startDesk } from "./desk.ts";

const desk = startPart(startDesk);

/** An upper limit for the number of steps; a run always has fewer steps. */
const most = 40;

test("a run that dies after any step still leads to exactly one posted verdict, which the press names", async () => {
  for (let act = 1; act < most; act += 1) {
    const { id, agentId } = await makeLivePress(desk);
    const life = makeCrashingPorts(desk, act);
    const end = await Promise.race([post(life.ports, { id }), life.died]);
    const again = await post(makeLaterPorts(desk.ports), { id });
    const verdicts = await listVerdicts(desk, agentId);
    expect({ act, verdicts: verdicts.map(({ txHash }) => txHash), again }).toEqual({
      act,
      verdicts: [await readAuditTx(desk, id)],
      again: { status: "posted", txHash: verdicts[0]?.txHash },
    });
    life.close();
    if (end !== "died") {
      // A run reads the records, leases the key, signs, stores and sends the transaction, records the outcome and frees the key. If a run
      // has fewer than ten steps, the test has missed a step.
      expect(act).toBeGreaterThan(10);
      return;
    }
  }
  throw new Error("No run came to its end");
});

test("a transaction that a dead run left unfinished is finished when the message of the next press is handled", async () => {
  const [first, second] = [await makeLivePress(desk), await makeLivePress(desk)];
  const dying = makeDyingPorts(desk.ports, /^eth_send/, "before");
  void post(dying.ports, { id: first.id });
  await dying.ended;
  await post(makeLaterPorts(desk.ports), { id: second.id });
  for (const { id, agentId } of [first, second]) {
    const verdicts = await listVerdicts(desk, agentId);
    expect(verdicts.map(({ txHash }) => txHash)).toEqual([await readAuditTx(desk, id)]);
  }
});
