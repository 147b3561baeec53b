import { getRouteApi, Navigate } from "@tanstack/react-router";
import type { AuditedPress } from "../../api/publish.ts";
import { mint as words } from "../../strings/publish-mint.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { PublisherGate } from "../gate.tsx";
import { OwnPressView } from "../own-query.tsx";
import { MintCard } from "./card.tsx";
import { sentMint } from "./record.ts";

const route = getRouteApi("/publish/$id/mint");

/** From an approved press to a live one. */
export function MintPage() {
  const { id } = route.useParams();
  return (
    <Page title={words.title} heading={words.heading} lead={words.lead}>
      <PublisherGate>
        {(wallet) => (
          <OwnPressView id={id} loading={words.loading} failed={words.failed}>
            {(own) => <Ready own={own} wallet={wallet} />}
          </OwnPressView>
        )}
      </PublisherGate>
    </Page>
  );
}

function Ready({ own, wallet }: { readonly own: AuditedPress; readonly wallet: string }) {
  const { press, metaUrl } = own;
  if (press.status === "live")
    return <Navigate to="/publish/$id" params={{ id: String(press.id) }} replace />;
  const sent = sentMint(wallet, press.id) !== undefined;
  // A press whose mint is under way says itself why it does not go live.
  if (press.status === "approved" || sent) {
    return <MintCard press={press} wallet={wallet} metaUrl={metaUrl ?? metaUrlOf(press.id)} />;
  }
  return (
    <Notice heading={words.notApprovedTitle} tone="warn">
      <p>{words.notApproved}</p>
      <ButtonLink look="primary" to="/publish/edit" search={{ id: String(press.id) }}>
        {words.toEditor}
      </ButtonLink>
    </Notice>
  );
}

/** Never minted with: such a press has to be approved first, and the service then says the same. */
function metaUrlOf(id: number): string {
  return `${window.location.origin}/api/meta/${id}`;
}
