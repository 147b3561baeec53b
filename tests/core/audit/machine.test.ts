import validate from "asl-validator";
import { expect, test } from "vitest";
import { jobs } from "../../../functions/jobs.ts";
import { routes } from "../../../functions/routes.ts";
import { loadWorkflow } from "../../../local/workflow/index.ts";
import { machine, resources } from "./parts.ts";

test("the state machine's definition is valid Amazon States Language", () => {
  const { isValid, errorsText } = validate(JSON.parse(JSON.stringify(machine)));
  expect(errorsText()).toBe("");
  expect(isValid).toBe(true);
});

test("the local interpreter runs the state machine as AWS does", () => {
  const { limitSeconds, resources: called } = loadWorkflow(machine, new Set(Object.values(resources)));
  expect(limitSeconds).toBe(machine.TimeoutSeconds);
  expect([...called.values()].toSorted()).toEqual(Object.values(resources).toSorted());
});

test("the state machine's steps are the step jobs in functions/jobs.ts", () => {
  const steps = jobs.filter(({ trigger }) => trigger.kind === "step").map(({ id }) => id);
  expect(steps.toSorted()).toEqual(Object.keys(resources).toSorted());
});

test("the state machine's time limit is well below its endpoint's time limit, and no step's time limit is longer than the time limit of the step's function", () => {
  const route = routes.find(({ id }) => id === "press-audit");
  expect(machine.TimeoutSeconds).toBeLessThan(25);
  expect(machine.TimeoutSeconds + 4).toBeLessThan(route?.timeoutSeconds ?? 0);
  const { Facts, Judge, Store } = machine.States;
  const [{ States: rules }, { States: review }] = Judge.Branches;
  const tasks = [Facts, rules.Rules, review.Review, Store];
  for (const { Resource, TimeoutSeconds } of tasks) {
    const job = jobs.find(({ id }) => Resource.endsWith(id));
    expect(TimeoutSeconds).toBeLessThanOrEqual(job?.timeoutSeconds ?? 0);
  }
});

test("a step that failed but may succeed later is repeated twice, each time after a longer pause", () => {
  const { Facts, Judge, Store } = machine.States;
  const [{ States: rules }, { States: review }] = Judge.Branches;
  for (const { Retry } of [Facts, rules.Rules, review.Review, Store]) {
    expect(Retry).toMatchObject([{ MaxAttempts: 2, IntervalSeconds: 1, BackoffRate: 2 }]);
    expect(Retry[0].ErrorEquals).toContain("Lambda.TooManyRequestsException");
    expect(Retry[0].ErrorEquals).not.toContain("States.ALL");
    expect(Retry[0].ErrorEquals).not.toContain("stock_delisted");
  }
});

test("the state machine catches only a time-out of the rules, and every other failure reaches the endpoint", () => {
  const caught = JSON.stringify(machine).match(/"Catch":\[[^\]]*\]/g);
  expect(caught).toEqual(['"Catch":[{"ErrorEquals":["States.Timeout","Sandbox.Timedout"]']);
});
