import type { ReactNode } from "react";
import { contact, operator, type Passage, privacy, terms } from "../strings/legal.ts";
import { Page, Section } from "../ui/page.tsx";

export const TermsPage = () => <TextPage {...terms} />;
export const PrivacyPage = () => <TextPage {...privacy} />;

/** The page with the contact address from the stage's settings, and with advice on what to write. */
export function ContactPage() {
  const address = import.meta.env.CONTACT;
  return (
    <TextPage {...contact}>
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
    </TextPage>
  );
}

/** Says that "we" on the page means the operator whom the stage's settings name. */
const whoWeAre: Passage = {
  heading: operator.heading,
  sentences: [import.meta.env.OPERATOR === "" ? operator.none : operator.named(import.meta.env.OPERATOR)],
};

type TextPageProps = Pick<typeof terms, "title" | "lead" | "passages"> & { readonly children?: ReactNode };

function TextPage({ title, lead, passages, children }: TextPageProps) {
  return (
    <Page title={title} lead={lead}>
      {children}
      <div className="grid max-w-2xl gap-10">
        {[whoWeAre, ...passages].map(({ heading, sentences }) => (
          <Section key={heading} heading={heading}>
            {sentences.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Section>
        ))}
      </div>
    </Page>
  );
}
