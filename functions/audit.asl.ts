type StepId = "audit-facts" | "audit-rules" | "audit-review" | "audit-store";

/** The names of temporary failures of the platform or of a source. The last four failures in the list come from Lambda itself. */
const transient = [
  "chain_unavailable",
  "market_unavailable",
  "model_busy",
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.TooManyRequestsException",
] as const;

const retry = [
  {
    ErrorEquals: transient,
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxAttempts: 2,
    MaxDelaySeconds: 4,
    JitterStrategy: "FULL",
  },
] as const;

/** The errors of a function that was stopped at its own time-out, or at the time-out of its state in the workflow. */
const outOfTime = ["States.Timeout", "Sandbox.Timedout"] as const;

/**
 * The finding that the audit reports if the audit's rules exceed their time limit. If the audit's rules exceed their time limit, the text
 * is the cause, so the run ends with a verdict and counts towards the wallet's quota.
 */
const unread = {
  severity: "high",
  check: "limits",
  detail:
    "The rules did not finish reading this text in time, so they say nothing about its figures, dates and links. Shorten the longest paragraphs, tables and code blocks of the text, then audit it again. This run counts towards your quota.",
} as const;

/**
 * The audit as an Express workflow (design §6). The workflow collects facts, runs the rules and the review in parallel, and stores the
 * decision. The workflow's input is `{ id, run }`. If a step fails with an error other than a time-out of the rules, the execution fails,
 * and the audit does not count towards the wallet's quota. The workflow is written in JSONPath, and uses no feature that differs between
 * AWS and the local interpreter.
 * @param findArn finds a step's function ARN by the id in `jobs.ts`
 */
export function makeAuditMachine(findArn: (id: StepId) => string) {
  const makeTask = (id: StepId, timeoutSeconds: number) =>
    ({ Type: "Task", Resource: findArn(id), TimeoutSeconds: timeoutSeconds, Retry: retry }) as const;
  return {
    Comment: "Audits one press",
    StartAt: "Facts",
    /** The time-out of the workflow is shorter than the endpoint's time-out, so that the endpoint can still answer. */
    TimeoutSeconds: 24,
    States: {
      Facts: { ...makeTask("audit-facts", 10), Next: "Judge" },
      Judge: {
        Type: "Parallel",
        Branches: [
          {
            StartAt: "Rules",
            States: {
              Rules: {
                ...makeTask("audit-rules", 10),
                Catch: [{ ErrorEquals: outOfTime, Next: "Unread" }],
                End: true,
              },
              Unread: { Type: "Pass", Result: { issues: [unread] }, End: true },
            },
          },
          { StartAt: "Review", States: { Review: { ...makeTask("audit-review", 18), End: true } } },
        ],
        ResultSelector: {
          "issues.$": "$[0].issues",
          "review.$": "$[1].review",
          "engine.$": "$[1].engine",
        },
        ResultPath: "$.judgement",
        Next: "Store",
      },
      Store: {
        ...makeTask("audit-store", 8),
        Parameters: {
          "order.$": "$.order",
          facts: {
            "quote.$": "$.facts.quote",
            "publisherHolds.$": "$.facts.publisherHolds",
            "publisherBalance.$": "$.facts.publisherBalance",
          },
          "issues.$": "$.judgement.issues",
          "review.$": "$.judgement.review",
          "engine.$": "$.judgement.engine",
        },
        End: true,
      },
    },
  } as const;
}
