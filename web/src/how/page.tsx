import { useQuery } from "@tanstack/react-query";
import { computeLeadFees, findLeadCost } from "../../../core/rank/schema.ts";
import { pressList } from "../api/press.ts";
import { ranking, how as words } from "../strings/how.ts";
import { BulletSection, Page, Pair, Section, Table, TermList } from "../ui/page.tsx";
import { figures } from "./figures.ts";

/** The page that explains what the audit checks, how the audit decides, and how often the audit was wrong in our measurements. */
export function AuditPage() {
  return (
    <Page narrow title={words.title} lead={words.lead}>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
        <BulletSection heading={words.steps} numbered items={words.stepsList} />
        <BulletSection heading={words.verdicts} items={words.verdictsList} />
        <Figures />
        <BulletSection heading={words.limits} items={words.limitsList} />
        <Section heading={words.disputes}>
          <p>{words.disputesLead}</p>
        </Section>
      </div>
    </Page>
  );
}

const formatPercent = (part: number) => `${Math.round(part * 100)}%`;

function Figures() {
  const { rules, model } = figures;
  return (
    <Section heading={words.measured}>
      <p>{words.measuredLead(rules.faulty, rules.clean)}</p>
      <TermList>
        <Pair term={words.stopped}>{words.of(rules.stopped, rules.faulty)}</Pair>
        <Pair term={words.falseStops}>{words.of(rules.falseStops, rules.clean)}</Pair>
        <Pair term={words.precision}>{formatPercent(rules.precision)}</Pair>
        <Pair term={words.flips}>{rules.flips}</Pair>
      </TermList>
      <Table label={words.kinds} head={[words.kind, words.drafts, words.found]}>
        {rules.kinds.map(({ kind, label, drafts, stopped }) => (
          <tr key={kind}>
            <th scope="row">{label}</th>
            <td>{drafts}</td>
            <td>{stopped}</td>
          </tr>
        ))}
      </Table>
      <p>
        {model === undefined
          ? words.noModel
          : words.model(model.name, formatPercent(model.precision), formatPercent(model.recall))}
      </p>
    </Section>
  );
}

/** The page that explains how the presses of the front page are chosen, and what it would cost to buy the first place. */
export function RankingPage() {
  const { data } = useQuery(pressList);
  return (
    <Page narrow title={ranking.title} lead={ranking.lead}>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
        <BulletSection heading={ranking.counts} items={ranking.countsList} />
        <Section heading={ranking.cost}>
          <p>{ranking.costLead(computeLeadFees(50))}</p>
          {data !== undefined && <p>{ranking.costNow(data.length, findLeadCost(data, Date.now()))}</p>}
        </Section>
      </div>
    </Page>
  );
}
