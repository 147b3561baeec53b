import { useQuery } from "@tanstack/react-query";
import { stocks } from "../../api/market.ts";
import type { AuditedPress } from "../../api/publish.ts";
import { editor as words } from "../../strings/publish-editor.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Desk } from "./desk.ts";
import type { DeskState } from "./desk-state.ts";

type DisclosureProps = {
  readonly desk: Desk;
  readonly state: DeskState;
  readonly own: AuditedPress | undefined;
  readonly readOnly: boolean;
};

/** For a publisher who holds the stock that they write about: the line that says so, which the audit asks for. */
export function Disclosure({ desk, state, own, readOnly }: DisclosureProps) {
  const { wallet, text } = state;
  const token = useQuery(stocks).data?.find(({ symbol }) => symbol === text.stock);
  const { data: held } = useQuery({
    queryKey: ["mine", "holding", token?.symbol],
    queryFn: async () => (await import("./holding.ts")).isHeld(token?.address ?? "", wallet),
    enabled: token !== undefined,
    staleTime: 60_000,
  });
  const audited = own?.press.stock === text.stock && own.audit?.facts.publisherHolds === true;
  if (token === undefined || !(held === true || audited)) return null;
  const line = words.disclosureLine(token.symbol);
  const done = text.body.includes(line);
  return (
    <section
      aria-label={words.disclosureTitle(token.symbol)}
      className="flex flex-wrap items-center justify-between gap-3 rounded-2xl border border-warn bg-warn-soft p-4 text-sm"
    >
      <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
        <p className="font-semibold">{words.disclosureTitle(token.symbol)}</p>
        <p role="status" className="flex items-center gap-2">
          {done && <Icon name="check" />}
          {done ? words.disclosureDone : words.disclosure}
        </p>
      </div>
      {!done && !readOnly && (
        <Button onClick={() => desk.edit({ body: `${text.body.trimEnd()}\n\n${line}\n`.trimStart() })}>
          {words.disclosureAdd}
        </Button>
      )}
    </section>
  );
}
