import { how as words } from "../strings/how.ts";
import { Page, Section } from "../ui/page.tsx";
import { figures } from "./figures.ts";

/** Tells what the audit checks, how it decides, and how often it was wrong when it was measured. */
export function AuditPage() {
  return (
    <Page narrow title={words.title} lead={words.lead}>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
        <Section heading={words.steps}>
          <ol className="grid list-decimal gap-2 pl-6">{renderItems(words.stepsList)}</ol>
        </Section>
        <Section heading={words.verdicts}>
          <ul className="grid list-disc gap-2 pl-6">{renderItems(words.verdictsList)}</ul>
        </Section>
        <Measured />
        <Section heading={words.limits}>
          <ul className="grid list-disc gap-2 pl-6">{renderItems(words.limitsList)}</ul>
        </Section>
        <Section heading={words.disputes}>
          <p>{words.disputesLead}</p>
        </Section>
      </div>
    </Page>
  );
}

const renderItems = (sentences: readonly string[]) =>
  sentences.map((sentence) => <li key={sentence}>{sentence}</li>);

const percent = (part: number) => `${Math.round(part * 100)}%`;

function Measured() {
  const { rules, model } = figures;
  const rows = [
    [words.stopped, words.of(rules.stopped, rules.faulty)],
    [words.falseStops, words.of(rules.falseStops, rules.clean)],
    [words.precision, percent(rules.precision)],
    [words.flips, String(rules.flips)],
  ] as const;
  return (
    <Section heading={words.measured}>
      <p>{words.measuredLead(rules.faulty, rules.clean)}</p>
      <dl className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-2">
        {rows.map(([term, value]) => (
          <div key={term} className="grid content-between gap-1 bg-card p-5">
            <dt className="text-sm text-quiet">{term}</dt>
            <dd className="text-2xl font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-left text-quiet">
            <th className="py-2 font-medium">{words.kind}</th>
            <th className="py-2 text-right font-medium">{words.drafts}</th>
            <th className="py-2 pl-4 text-right font-medium">{words.found}</th>
          </tr>
        </thead>
        <tbody>
          {rules.kinds.map(({ kind, label, drafts, stopped }) => (
            <tr key={kind} className="border-b border-line">
              <td className="py-2 pr-4">{label}</td>
              <td className="figure py-2 text-right">{drafts}</td>
              <td className="figure py-2 pl-4 text-right">{stopped}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {model === undefined
          ? words.noModel
          : words.model(model.name, percent(model.precision), percent(model.recall))}
      </p>
    </Section>
  );
}
