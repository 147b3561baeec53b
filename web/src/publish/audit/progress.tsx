import { useEffect, useState } from "react";
import { editor, audit as words } from "../../strings/publish.ts";
import { Spinner } from "../../ui/button.tsx";

/** An audit that is under way, with the seconds that it has taken so far. */
export function Progress({ elsewhere }: { readonly elsewhere: boolean }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const start = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - start) / 1000)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="grid gap-1 rounded-xl bg-sunk p-4">
      <div className="flex items-center gap-3 font-medium text-accent">
        <Spinner />
        <p role="status" className="flex-1">
          {words.running}
        </p>
        <span aria-hidden="true" className="figure text-quiet">
          {words.seconds(seconds)}
        </span>
      </div>
      <p className="text-quiet">
        {elsewhere ? words.elsewhere : `${words.runningLead} ${editor.auditLocked}`}
      </p>
    </div>
  );
}
