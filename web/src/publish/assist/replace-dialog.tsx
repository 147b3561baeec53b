import type { Angle } from "../../../../core/draft/schema.ts";
import { common } from "../../strings/common.ts";
import { assist as words } from "../../strings/publish.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

type ReplaceDialogProps = {
  readonly angle: Angle;
  readonly onCancel: () => void;
  readonly onReplace: () => void;
};

/** Nothing that somebody has written is replaced unasked. */
export function ReplaceDialog({ angle, onCancel, onReplace }: ReplaceDialogProps) {
  return (
    <Dialog open onClose={onCancel} title={words.replaceTitle} lead={words.replaceLead}>
      <div className="grid gap-5">
        <p className="font-semibold">{angle.title}</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onCancel}>{common.cancel}</Button>
          <Button look="primary" onClick={onReplace}>
            {words.replace}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
