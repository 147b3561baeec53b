import { useQuery } from "@tanstack/react-query";
import { leadCost, leadFees } from "../../../core/rank/schema.ts";
import { pressList } from "../api/press.ts";
import { ranking as words } from "../strings/how.ts";
import { Page, Section } from "../ui/page.tsx";

/** How the front page is chosen, and what buying its lead would cost. */
export function RankingPage() {
  const { data } = useQuery(pressList);
  return (
    <Page narrow title={words.title} lead={words.lead}>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
        <Section heading={words.counts}>
          <ul className="grid list-disc gap-2 pl-6">
            {words.countsList.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Section>
        <Section heading={words.cost}>
          <p>{words.costLead(leadFees(50))}</p>
          {data !== undefined && <p>{words.costNow(data.length, leadCost(data, Date.now()))}</p>}
        </Section>
      </div>
    </Page>
  );
}
