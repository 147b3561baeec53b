const statuses = {
  ValidationException: 400,
  ResourceNotFoundException: 404,
  ModelErrorException: 424,
} as const;

/** A request that the stand-in refuses, or cannot answer, with Bedrock's name and status for it. */
export class ModelFailure extends Error {
  readonly status: number;

  constructor(type: keyof typeof statuses, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = type;
    this.status = statuses[type];
  }
}

export function invalid(message: string, options?: ErrorOptions): ModelFailure {
  return new ModelFailure("ValidationException", message, options);
}

/** What Nova says of output that is no call: also when it had to stop in the middle of one. */
export function invalidSequence(): ModelFailure {
  return new ModelFailure(
    "ModelErrorException",
    "Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide.",
  );
}
