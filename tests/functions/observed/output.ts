import { vi } from "vitest";
import * as z from "zod";

/** One written line: a log record, which may also contain metrics. */
const Line = z.looseObject({
  function: z.string().optional(),
  requestId: z.string().optional(),
  correlationId: z.string().optional(),
});
export type Line = z.infer<typeof Line>;

/** The parts of CloudWatch's embedded metric format that the service uses. */
const Emf = Line.extend({
  _aws: z.object({
    CloudWatchMetrics: z.tuple([
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string(), Unit: z.string() })),
      }),
    ]),
  }),
});

/** One written metric: the metric's value, and the names and values of its dimensions. */
export type Measurement = ReturnType<typeof parseMeasurements>[number];

/** Records everything that this process writes from now on, instead of printing it. */
export function captureOutput() {
  const chunks: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      chunks.push(String(chunk));
      return true;
    }),
  );
  const readText = () => chunks.join("");
  const listLines = () => readText().split("\n").flatMap(parse);
  return {
    readText,
    listLines,
    listMeasurements: () => listLines().flatMap(parseMeasurements),
    release: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

function parse(text: string): readonly Line[] {
  try {
    return [Line.parse(JSON.parse(text))];
  } catch {
    // The line is not JSON, so our code did not write the line.
    return [];
  }
}

function parseMeasurements(line: Line) {
  const emf = Emf.safeParse(line);
  if (!emf.success) return [];
  const [{ Namespace: namespace, Dimensions: sets, Metrics }] = emf.data._aws.CloudWatchMetrics;
  const names = sets.toSorted((one, other) => other.length - one.length)[0] ?? [];
  const dimensions = Object.fromEntries(names.map((name) => [name, z.string().parse(line[name])]));
  return Metrics.map(({ Name: name, Unit: unit }) => ({
    name,
    unit,
    value: z.number().parse(line[name]),
    namespace,
    dimensions,
    /** The sets of dimensions under which CloudWatch stores the metric. */
    sets,
    line,
  }));
}
