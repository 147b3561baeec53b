import { Tabs } from "@base-ui/react/tabs";
import { countMinutes, countWords, type Press, toUsdg } from "../../../../core/press/schema.ts";
import { noStanding } from "../../../../core/rank/schema.ts";
import { UnlockCard } from "../../payment/unlock.tsx";
import { Head, LockedText } from "../../press/page.tsx";
import { editor as words } from "../../strings/editor.ts";
import Prose from "../../ui/markdown.tsx";
import { tabClass } from "./body.tsx";
import type { DraftState } from "./draft.ts";
import { parseUnits } from "./text.ts";

type PreviewProps = { readonly state: DraftState; readonly aiAssisted: boolean };

/** A preview of the whole press, as readers see it before and after payment. */
export default function PressPreview({ state, aiAssisted }: PreviewProps) {
  const press = makePress(state, aiAssisted);
  return (
    <Tabs.Root defaultValue="locked" className="grid gap-6">
      <Tabs.List aria-label={words.preview} className="flex w-fit gap-1 rounded-full bg-sunk p-1">
        <Tabs.Tab value="locked" className={tabClass}>
          {words.locked}
        </Tabs.Tab>
        <Tabs.Tab value="unlocked" className={tabClass}>
          {words.unlockedView}
        </Tabs.Tab>
      </Tabs.List>
      <Head press={press} />
      <Tabs.Panel value="locked">
        {/* The button in the preview does nothing, because the press cannot be bought yet. */}
        <div inert>
          <LockedText>
            <UnlockCard purchase={press} onPay={() => undefined} />
          </LockedText>
        </div>
      </Tabs.Panel>
      <Tabs.Panel value="unlocked">
        {state.text.body.trim() === "" ? (
          <p className="text-quiet">{words.emptyPreview}</p>
        ) : (
          <Prose text={state.text.body} />
        )}
      </Tabs.Panel>
    </Tabs.Root>
  );
}

/** The press that a draft would become if it went live now. The ids of this preview belong to no press. */
function makePress({ wallet, text }: DraftState, aiAssisted: boolean): Press {
  const priceUnits = parseUnits(text.priceUsdg) ?? "0";
  return {
    id: 0,
    pressId: -1,
    slug: "",
    headline: text.headline.trim(),
    preview: text.preview.trim(),
    stock: text.stock,
    publisher: wallet,
    publisherName: text.publisherName.trim(),
    priceUsdg: toUsdg(priceUnits),
    priceUnits,
    publishedAt: new Date().toISOString(),
    readMinutes: countMinutes(countWords(text.body)),
    auditScore: 0,
    aiAssisted,
    publisherHolds: false,
    priceAtPublish: 0,
    votes: { up: 0, down: 0 },
    readerVotes: { up: 0, down: 0 },
    standing: noStanding,
    tags: {},
    reads: 0,
    mintTx: "",
    bylineAmbiguous: false,
    newAuthorUntil: null,
    corrections: [],
    priceChangedAt: null,
    unlistedAt: null,
    auditTx: null,
  };
}
