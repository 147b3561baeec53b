import { contact, operator, type Passage, privacy, terms } from "../strings/legal.ts";
import { Page, Section } from "../ui/page.tsx";

export function TermsPage() {
  return (
    <Page title={terms.title} lead={terms.lead}>
      <Passages passages={terms.passages} />
    </Page>
  );
}

export function PrivacyPage() {
  return (
    <Page title={privacy.title} lead={privacy.lead}>
      <Passages passages={privacy.passages} />
    </Page>
  );
}

/** The contact in the stage's settings, and what to write. */
export function ContactPage() {
  const address = import.meta.env.CONTACT;
  return (
    <Page title={contact.title} lead={contact.lead}>
      <p className="text-lg">
        {address === "" ? (
          contact.none
        ) : (
          <>
            {contact.write}{" "}
            <a className="link" href={`mailto:${address}`}>
              {address}
            </a>
            .
          </>
        )}
      </p>
      <Passages passages={contact.passages} />
    </Page>
  );
}

/** Explains "we": the operator in the stage's settings. */
const whoWeAre: Passage = {
  heading: operator.heading,
  sentences: [import.meta.env.OPERATOR === "" ? operator.none : operator.named(import.meta.env.OPERATOR)],
};

function Passages({ passages }: { readonly passages: readonly Passage[] }) {
  return (
    <div className="grid max-w-2xl gap-10">
      {[whoWeAre, ...passages].map(({ heading, sentences }) => (
        <Section key={heading} heading={heading}>
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Section>
      ))}
    </div>
  );
}
