import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Press } from "../../../core/press/schema.ts";
import { pressList } from "../api/press.ts";
import { PressCard, useReader } from "../list/card.tsx";
import { after as words } from "../strings/market.ts";
import { Section } from "../ui/page.tsx";
import { afterOf } from "./next.ts";

/** What to read after a press. The list is asked for when the reader comes near. */
export function After({ press }: { readonly press: Press }) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const { data } = useQuery({ ...pressList, enabled: near });
  const { markOf } = useReader();
  const { next, related } = afterOf(press, data ?? []);
  return (
    <div ref={place} className="grid content-start gap-8">
      {next !== undefined && (
        <Section heading={words.byAuthor(press.publisherName)}>
          <ul>
            <PressCard press={next} mark={markOf(next)} />
          </ul>
        </Section>
      )}
      {related.length > 0 && (
        <Section
          heading={
            related.some(({ stock }) => stock === press.stock) ? words.related(press.stock) : words.others
          }
        >
          <ul className="grid gap-4">
            {related.map((each) => (
              <PressCard key={each.id} press={each} mark={markOf(each)} />
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}
