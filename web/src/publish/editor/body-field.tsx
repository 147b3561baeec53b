import { Tabs } from "@base-ui/react/tabs";
import { lazy, Suspense, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { editor as words } from "../../strings/publish-editor.ts";
import { TextArea } from "../../ui/field.tsx";
import { TextSkeleton } from "../../ui/skeleton.tsx";
import { BodyCounter } from "./counter.tsx";
import { controlOf, type FieldProps, Frame } from "./fields.tsx";
import type { FieldHandle } from "./use-field-map.ts";

const Prose = lazy(() => import("../../ui/markdown.tsx"));

const tabClass =
  "min-h-9 rounded-full px-4 text-sm font-medium text-quiet hover:text-ink data-active:bg-card data-active:text-ink data-active:shadow-card";

/** The text of a press: Markdown on one side, on the other what readers get of it. */
export function BodyField({ control, ...field }: FieldProps & { readonly control: FieldHandle }) {
  const [view, setView] = useState<unknown>("write");
  const { body } = field.state.text;
  useEffect(() => {
    control.reveal.current = () => flushSync(() => setView("write"));
  }, [control]);
  return (
    <Tabs.Root value={view} onValueChange={setView} className="grid gap-2">
      <Tabs.List aria-label={words.view} className="flex w-fit gap-1 rounded-full bg-sunk p-1">
        <Tabs.Tab value="write" className={tabClass}>
          {words.write}
        </Tabs.Tab>
        <Tabs.Tab value="preview" className={tabClass}>
          {words.preview}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="write">
        <Frame name="body" aside={<BodyCounter text={body} />} faults={field.faults}>
          <TextArea
            {...controlOf("body", field)}
            ref={control.hold}
            rows={20}
            className="resize-y leading-relaxed"
          />
        </Frame>
      </Tabs.Panel>
      <Tabs.Panel value="preview" className="grid gap-4 rounded-xl border border-line bg-card p-5 sm:p-8">
        <h2 className="sr-only">{words.preview}</h2>
        {body.trim() === "" ? (
          <p className="text-quiet">{words.emptyPreview}</p>
        ) : (
          <Suspense fallback={<TextSkeleton lines={8} />}>
            <Prose text={body} />
          </Suspense>
        )}
      </Tabs.Panel>
    </Tabs.Root>
  );
}
