import type { Press } from "../../../core/press/schema.ts";
import { list as words } from "../strings/reader.ts";
import { Badge } from "../ui/status.tsx";

type LabelsProps = { readonly press: Pick<Press, "aiAssisted" | "publisherHolds" | "stock"> };

/** What a reader should know of how a press came about, in short. */
export function Labels({ press }: LabelsProps) {
  return (
    <>
      {press.aiAssisted && <Badge>{words.ai}</Badge>}
      {press.publisherHolds && <Badge tone="warn">{words.holds(press.stock)}</Badge>}
    </>
  );
}
