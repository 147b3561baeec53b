import type { AuditedPress } from "../../api/publish.ts";
import { audit } from "../../strings/publish-audit.ts";
import { editor as words } from "../../strings/publish-editor.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { auditsLeft } from "../audit/left.ts";

type ApprovalProps = { readonly own: AuditedPress; readonly locked: boolean; readonly onReopen: () => void };

/** An approved press: mint it, or know what an edit costs. */
export function Approval({ own, locked, onReopen }: ApprovalProps) {
  const left = audit.leftShort(auditsLeft(own));
  if (!locked) {
    return (
      <Notice heading={words.unlockedTitle} tone="warn">
        <p>{words.unlocked(left)}</p>
      </Notice>
    );
  }
  return (
    <Notice heading={words.approvedTitle}>
      <p>{words.approved}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink look="primary" to="/publish/$id/mint" params={{ id: String(own.press.id) }}>
          {words.mint}
        </ButtonLink>
        <Button onClick={onReopen}>{words.unlock}</Button>
      </div>
      <p className="text-sm text-quiet">{words.unlockWarning(left)}</p>
    </Notice>
  );
}
