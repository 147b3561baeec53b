import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { readCompany } from "../../../../core/market/schema.ts";
import { countCharacters, limits } from "../../../../core/press/schema.ts";
import { queryHoldings, stocks } from "../../api/press.ts";
import type { AuditedPress } from "../../api/publish.ts";
import { formatUsdg, splitPrice } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { editor as words } from "../../strings/editor.ts";
import { Button, joinClasses } from "../../ui/button.tsx";
import { Field, Input, Options, TextArea } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pair, TermList } from "../../ui/page.tsx";
import { addDisclosure, type TextPart, type WordRange } from "../audit/place.ts";
import type { Draft, DraftState } from "./draft.ts";
import {
  type FieldFaults,
  type FieldName,
  fieldNames,
  findFaults,
  parseUnits,
  readServiceFaults,
} from "./text.ts";

export type FieldProps = {
  readonly draft: Draft;
  readonly state: DraftState;
  readonly faults: FieldFaults;
  readonly touch: (name: FieldName) => void;
  readonly readOnly: boolean;
};

type FieldFrameProps = Pick<FieldProps, "faults"> & {
  readonly name: FieldName;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
};

/** The frame around a field of the press. The frame contains the field's label, help text and faults. */
export function FieldFrame({ name, aside, faults, children }: FieldFrameProps) {
  const fault = faults[name];
  return (
    <Field
      label={words.labels[name]}
      aside={aside}
      hint={words.hints[name]}
      error={fault === undefined ? undefined : words.fault(fault)}
    >
      {children}
    </Field>
  );
}

/** The properties of the control for one field of a draft. */
export function makeControl(name: FieldName, { draft, state, touch, readOnly }: FieldProps) {
  return {
    name,
    value: state.text[name],
    onValueChange: (value: string) => draft.edit({ [name]: value }),
    onBlur: () => touch(name),
    readOnly,
    autoComplete: "off",
  };
}

type LineName = "headline" | "preview" | "publisherName";
type LineFieldProps = FieldProps & { readonly name: LineName; readonly control?: FieldHandle };

/** A text field with a limit in characters. */
export function LineField({ name, control, ...field }: LineFieldProps) {
  const given = makeControl(name, field);
  const aside = <CharacterCounter text={field.state.text[name]} range={limits[name]} />;
  return (
    <FieldFrame name={name} aside={aside} faults={field.faults}>
      {name === "preview" && (
        <TextArea {...given} rows={4} ref={control?.hold} className="field-sizing-content min-h-28" />
      )}
      {name === "headline" && (
        <TextArea
          {...given}
          rows={2}
          ref={control?.hold}
          className="field-sizing-content resize-none font-serif text-lg leading-snug font-bold"
          // The field's text is a single line, so pasted line breaks become spaces.
          onValueChange={(value) => given.onValueChange(value.replace(/\s*[\r\n]\s*/g, " "))}
        />
      )}
      {name === "publisherName" && <Input {...given} ref={control?.hold} />}
    </FieldFrame>
  );
}

export function StockField(field: FieldProps) {
  const { data, error } = useQuery(stocks);
  const { stock } = field.state.text;
  const missing = stock !== "" && data?.every(({ symbol }) => symbol !== stock) !== false;
  const { readOnly, ...given } = makeControl("stock", field);
  return (
    <FieldFrame name="stock" faults={field.faults}>
      <Options {...given} disabled={readOnly}>
        <option value="">{words.chooseStock}</option>
        {missing && <option value={stock}>{stock}</option>}
        {data?.map(({ symbol, name }) => (
          <option key={symbol} value={symbol}>
            {words.stockOption(symbol, readCompany({ name }))}
          </option>
        ))}
      </Options>
      {error !== null && data === undefined && <p className="text-sm text-bad">{words.stocksFailed}</p>}
    </FieldFrame>
  );
}

/** The field for the price. Below the price, the field shows the publisher's share. */
export function PriceField(field: FieldProps) {
  return (
    <div className="grid gap-3">
      <FieldFrame name="priceUsdg" faults={field.faults}>
        <Input {...makeControl("priceUsdg", field)} inputMode="decimal" className="figure" />
      </FieldFrame>
      <PriceSplit price={field.state.text.priceUsdg} />
    </div>
  );
}

type DisclosureHintProps = Pick<FieldProps, "draft" | "state" | "readOnly"> & {
  readonly own: AuditedPress | undefined;
};

/** Offers the disclosure that the audit requires of a publisher who holds the stock. */
export function DisclosureHint({ draft, state, own, readOnly }: DisclosureHintProps) {
  const { wallet, text } = state;
  const token = useQuery(stocks).data?.find(({ symbol }) => symbol === text.stock);
  const { data: held } = useQuery({
    ...queryHoldings(wallet, token === undefined ? [] : [token]),
    enabled: token !== undefined,
  });
  const audited = own?.press.stock === text.stock && own.audit?.facts.publisherHolds === true;
  if (token === undefined || !(held?.length === 1 || audited)) return null;
  const line = words.disclosureLine(token.symbol);
  const done = text.body.includes(line);
  return (
    <section
      aria-label={words.disclosureTitle(token.symbol)}
      className="flex flex-wrap items-center justify-between gap-3 rounded-2xl border border-warn bg-warn-soft p-4 text-sm"
    >
      <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
        <p className="font-semibold">{words.disclosureTitle(token.symbol)}</p>
        <p role="status" className="flex items-center gap-2">
          {done && <Icon name="check" />}
          {done ? words.disclosureDone : words.disclosure}
        </p>
      </div>
      {!done && !readOnly && (
        <Button onClick={() => draft.edit(addDisclosure(text.body, line)?.changes ?? {})}>
          {words.disclosureAdd}
        </Button>
      )}
    </section>
  );
}

/** Shows how a price is shared between the publisher and the platform. */
function PriceSplit({ price }: { readonly price: string }) {
  const units = parseUnits(price);
  if (units === undefined) return <p className="text-sm text-quiet">{words.splitNone}</p>;
  const { fee, publisher } = splitPrice(units);
  return (
    <section aria-label={words.split} className="rounded-xl bg-sunk px-3.5 py-2.5">
      <TermList>
        <Pair term={words.splitYou}>
          <strong className="font-semibold">{formatUsdg(publisher)}</strong> {common.unit}
        </Pair>
        <Pair term={words.splitFee}>
          {formatUsdg(fee)} {common.unit}
        </Pair>
      </TermList>
    </section>
  );
}

type LengthLimits = { readonly min: number; readonly max: number };

/** Shows how much of a limit a text uses. The length of the text is counted in the same way as the service counts it. */
function CharacterCounter({ text, range }: { readonly text: string; readonly range: LengthLimits }) {
  const used = countCharacters(text.trim());
  const short = used < range.min && range.min > 1;
  return (
    <CountText over={used > range.max}>
      {short ? words.charactersShort(used, range.min) : words.characters(used, range.max)}
    </CountText>
  );
}

export function CountText({
  over = false,
  children,
}: {
  readonly over?: boolean;
  readonly children: string;
}) {
  return (
    <span
      className={joinClasses("figure text-right text-xs", over ? "font-semibold text-bad" : "text-quiet")}
    >
      {children}
    </span>
  );
}

export type FieldHandle = {
  readonly hold: (element: HTMLElement | null) => void;
  readonly element: () => HTMLElement | null;
  /** Makes the field's control visible if it is hidden. */
  readonly reveal: { current: () => void };
  /** Selects words in the control, if the control is shown and is not a plain field. */
  readonly show: { current: ((words: WordRange | undefined) => void) | undefined };
};
export type FieldMap = Readonly<Record<TextPart, FieldHandle>>;

/** The controls that an audit's findings link to. */
export function useFieldMap(): FieldMap {
  const [map] = useState(() => ({ headline: makeHandle(), preview: makeHandle(), body: makeHandle() }));
  return map;
}

function makeHandle(): FieldHandle {
  let held: HTMLElement | null = null;
  return {
    hold: (element) => {
      held = element;
    },
    element: () => held,
    reveal: { current: () => undefined },
    show: { current: undefined },
  };
}

type ShownFaults = {
  /** All faults for which the service would refuse to save the text. */
  readonly all: FieldFaults;
  /** The faults shown at the fields. */
  readonly faults: FieldFaults;
  /** This function is called when the writer leaves a field. After the writer leaves the field, the field's fault is shown. */
  readonly touch: (name: FieldName) => void;
  /** Shows all faults and returns the fields that have at least one fault. */
  readonly showAll: () => readonly FieldName[];
};

/** The faults of a text. A fault in a field that the writer has not visited yet is hidden. */
export function useFaults({ text, phase }: DraftState): ShownFaults {
  const [touched, setTouched] = useState<ReadonlySet<FieldName>>(new Set());
  const settled = useDeferredValue(text);
  const found = useMemo(() => findFaults(settled), [settled]);
  const refused = phase.name === "refused" ? readServiceFaults(phase.problem) : {};
  const shown = Object.fromEntries(
    fieldNames.flatMap((name) => {
      const fault = refused[name] ?? (touched.has(name) ? found[name] : undefined);
      return fault === undefined ? [] : [[name, fault]];
    }),
  );
  return {
    all: found,
    faults: shown,
    touch: (name) => setTouched((before) => (before.has(name) ? before : new Set(before).add(name))),
    showAll: () => {
      setTouched(new Set(fieldNames));
      const faults = findFaults(text);
      return fieldNames.filter((name) => faults[name] !== undefined);
    },
  };
}
