import { common } from "../strings/common.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";

/** There is no such page. */
export function Missing() {
  return (
    <Page title={common.missingTitle} lead={common.missing}>
      <div>
        <ButtonLink to="/">{common.seeAll}</ButtonLink>
      </div>
    </Page>
  );
}
