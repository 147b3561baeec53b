import type { Ticker } from "../../desk.ts";
import type { Authored } from "../form.ts";

/** A passage with a wrong part and what ought to stand there: `… ⟦wrong ⇒ right⟧ …`. */
type Note = {
  readonly name: string;
  readonly stock: Ticker;
  readonly company: string;
  readonly says: string;
  readonly headline?: string;
  readonly preview?: string;
};

/** Passages without figures that may stand around any note. */
const closings = [
  (company: string) =>
    `What the document leaves out is as telling as what it says. ${company} names no customers, gives no outlook by region and keeps its usual silence about litigation. The people who run the business have long preferred to let results speak, and the call with analysts brought nothing that contradicted the written text. Several of the questions concerned staffing; the answers were polite and short.

Competitors have taken a different road. Some publish monthly updates, others explain every contract in a separate letter. Which habit serves owners better is a matter of taste, and there is no sign that ${company} intends to change its own before the annual meeting.`,
  (company: string) =>
    `None of this settles the larger question, which is how ${company} means to spend its attention over the coming seasons. The board has replaced two of its older members and has asked the new ones to look at suppliers first. Former managers describe a firm that decides slowly and then moves at once.

Unions and local councils will want a say as well. Their letters, published along with the minutes, ask mostly about training and about the fate of older sites. The company has promised to reply in writing, and it has kept such promises before.`,
  (company: string) =>
    `Readers should keep in mind that such statements are written by lawyers. Every sentence has been weighed, and what sounds like candour is often mere habit. Still, the tone at ${company} has shifted since the spring, from defensive to almost cheerful, and people close to the suppliers confirm that the mood on the floor has improved as well.

Regulators have not commented. They rarely do at this stage, and the calendar of hearings is full of other matters. Customers, for their part, care about delivery and about service, and on both counts the complaints have become rarer.`,
] as const;

const marked = /⟦([^⟦⟧]*) ⇒ ([^⟦⟧]*)⟧/u;

/** An article about the company in which the note's passage stands first. */
export function note({ name, stock, company, says, headline, preview }: Note, index: number): Authored {
  const fields = [
    headline ?? `${company} explains itself, up to a point`,
    preview ?? `What ${company} has put in writing, and what it has left out.`,
    says,
  ] as const;
  const changed = fields.find((field) => marked.test(field));
  if (changed === undefined) throw new Error(`Nothing is marked in: ${name}`);
  const wrong = (field: string) => field.replace(marked, (_, fault: string) => fault);
  const closing = closings[index % closings.length] ?? closings[0];
  return {
    name,
    stock,
    headline: wrong(fields[0]),
    preview: wrong(fields[1]),
    body: `${wrong(says)}\n\n${closing(company)}\n\nThe [statement](https://investor.example.com/${stock.toLowerCase()}/statement) is public. The author holds no position in ${company}, neither shares nor tokens.`,
    fault: wrong(changed),
    clean: changed.replace(marked, (_, _fault: string, right: string) => right),
  };
}
