import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { common } from "../strings/common.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { useTitle } from "../ui/title.ts";

/** Keeps a defect in one page from emptying the whole site. */
export function Broken({ error }: ErrorComponentProps) {
  useTitle(common.brokenTitle);
  useEffect(() => console.error("A page failed.", error), [error]);
  return (
    <div className="frame py-12" role="alert">
      <Notice heading={common.brokenTitle} tone="bad">
        <p>{common.broken}</p>
        <Button onClick={() => window.location.reload()}>{common.reload}</Button>
      </Notice>
    </div>
  );
}
