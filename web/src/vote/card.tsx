import type { Press } from "../../../core/press/schema.ts";
import { useSession } from "../session/use-session.ts";
import { vote as words } from "../strings/vote.ts";
import { Card } from "../ui/card.tsx";
import { VoteForm } from "./form.tsx";

/** Voting, for whoever has read the text and is not its publisher. */
export function VoteCard({ press }: { readonly press: Press }) {
  const { address } = useSession();
  return (
    <Card heading={words.title}>
      {address === press.publisher.toLowerCase() ? (
        <p className="text-sm text-quiet">{words.own}</p>
      ) : (
        <VoteForm press={press} />
      )}
    </Card>
  );
}
