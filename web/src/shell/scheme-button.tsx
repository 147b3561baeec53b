import { common } from "../strings/common.ts";
import { Icon } from "../ui/icon.tsx";
import { schemes, useScheme } from "./scheme.ts";

const icons = { system: "system", light: "sun", dark: "moon" } as const;

/** Goes from one scheme to the next: as the system, light, dark. */
export function SchemeButton() {
  const [scheme, choose] = useScheme();
  const next = schemes[(schemes.indexOf(scheme) + 1) % schemes.length] ?? "system";
  return (
    <button
      type="button"
      onClick={() => choose(next)}
      aria-label={common.schemeButton(common.schemes[scheme], common.schemes[next])}
      title={common.schemeButton(common.schemes[scheme], common.schemes[next])}
      className="grid size-10 shrink-0 place-items-center rounded-full text-quiet hover:bg-sunk hover:text-ink"
    >
      <Icon name={icons[scheme]} />
    </button>
  );
}
