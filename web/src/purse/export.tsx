import { useEffect, useState } from "react";
import { purse as words } from "../strings/purse.ts";
import { Button, Copy } from "../ui/button.tsx";
import { walletProblem } from "../wallet/problem.ts";
import { PurseProblem } from "./problem.ts";
import { exportKey, knownPurse } from "./purse.ts";

type Stage =
  | { readonly name: "idle" | "asking" | "hidden" }
  | { readonly name: "shown"; readonly key: string };

/** Shows the key once, after the passkey has confirmed. It is in no state that outlives this part of the page. */
export function ExportKey() {
  const [stage, setStage] = useState<Stage>({ name: "idle" });
  const [failure, setFailure] = useState<string>();
  // Nobody leaves a key on a screen: another tab or another page hides it.
  useEffect(() => {
    if (stage.name !== "shown") return;
    const hide = () => document.hidden && setStage({ name: "hidden" });
    document.addEventListener("visibilitychange", hide);
    return () => document.removeEventListener("visibilitychange", hide);
  }, [stage.name]);
  const show = async () => {
    setFailure(undefined);
    setStage({ name: "asking" });
    try {
      const purse = knownPurse();
      if (purse === undefined) throw new PurseProblem("gone");
      setStage({ name: "shown", key: await exportKey(purse) });
    } catch (error) {
      setFailure(walletProblem(error).message);
      setStage({ name: "idle" });
    }
  };
  return (
    <div className="grid justify-items-start gap-3">
      <p>{words.exportLead}</p>
      {stage.name === "shown" ? (
        <div className="grid justify-items-start gap-3 rounded-xl border border-warn bg-warn-soft p-3">
          <p className="font-semibold text-warn">{words.exportKey}</p>
          <code className="[overflow-wrap:anywhere]">{stage.key}</code>
          <div className="flex flex-wrap gap-3">
            <Copy label={words.exportKey} text={stage.key} />
            <Button size="small" onClick={() => setStage({ name: "hidden" })}>
              {words.exportHide}
            </Button>
          </div>
        </div>
      ) : (
        <Button busy={stage.name === "asking"} onClick={() => void show()}>
          {stage.name === "asking" ? words.asking : words.exportShow}
        </Button>
      )}
      {stage.name === "hidden" && <p role="status">{words.exportHidden}</p>}
      {failure !== undefined && (
        <p role="alert" className="text-bad">
          {failure}
        </p>
      )}
    </div>
  );
}
