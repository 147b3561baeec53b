import { useQuery } from "@tanstack/react-query";
import { type Discovery, discovery } from "../api/discovery.ts";
import { developers as words } from "../strings/developers.ts";
import { Failure } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { TextSkeleton } from "../ui/skeleton.tsx";
import { Endpoints } from "./endpoints.tsx";
import { PayFromCode } from "./pay-from-code.tsx";
import { Reading } from "./reading.tsx";
import { Section } from "./section.tsx";
import { Summary } from "./summary.tsx";

/** How programs find, read and pay for presses. */
export function DevelopersPage() {
  const { data, error, refetch } = useQuery(discovery);
  return (
    <Page title={words.title} heading={words.heading} lead={words.lead}>
      <div className="grid min-w-0 max-w-4xl grid-cols-[minmax(0,1fr)] gap-12">
        {data === undefined && error === null && <TextSkeleton />}
        {data === undefined && error !== null && (
          <Failure heading={words.failed} error={error} retry={() => void refetch()} />
        )}
        {data !== undefined && <Described service={data} />}
      </div>
    </Page>
  );
}

function Described({ service }: { readonly service: Discovery }) {
  return (
    <>
      <Summary service={service} />
      <PayFromCode service={service} />
      <Reading />
      <Endpoints endpoints={service.endpoints} />
      <Section heading={words.flow}>
        <ol className="grid list-decimal gap-2 pl-6">
          {service.flow.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Section>
      <Section heading={words.rules}>
        <ul className="grid list-disc gap-2 pl-6">
          {service.rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </Section>
    </>
  );
}
