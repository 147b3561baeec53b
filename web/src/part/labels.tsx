import type { Press } from "../../../core/press/schema.ts";

type LabelsProps = { readonly press: Pick<Press, "aiAssisted" | "publisherHolds" | "stock"> };

/** What a reader should know of how a press came about, in short. */
export function Labels({ press }: LabelsProps) {
  return (
    <>
      {press.aiAssisted && <span className="label">AI-assisted</span>}
      {press.publisherHolds && <span className="label label-warn">Publisher held {press.stock}</span>}
    </>
  );
}
