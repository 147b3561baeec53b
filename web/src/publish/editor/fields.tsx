import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { limits } from "../../../../core/press/schema.ts";
import { stocks } from "../../api/market.ts";
import { editor as words } from "../../strings/publish-editor.ts";
import { Field, Input, Options, TextArea } from "../../ui/field.tsx";
import { CharacterCounter } from "./counter.tsx";
import type { Desk } from "./desk.ts";
import type { DeskState } from "./desk-state.ts";
import { PriceSplit } from "./price-split.tsx";
import type { Faults, FieldName } from "./text.ts";
import type { FieldHandle } from "./use-field-map.ts";

export type FieldProps = {
  readonly desk: Desk;
  readonly state: DeskState;
  readonly faults: Faults;
  readonly touch: (name: FieldName) => void;
  readonly readOnly: boolean;
};

type FrameProps = Pick<FieldProps, "faults"> & {
  readonly name: FieldName;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
};

/** A field of a press with its label, what it is for, and what is wrong with it. */
export function Frame({ name, aside, faults, children }: FrameProps) {
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

/** What a control takes to write one field of a desk. */
export function controlOf(name: FieldName, { desk, state, touch, readOnly }: FieldProps) {
  return {
    name,
    value: state.text[name],
    onValueChange: (value: string) => desk.edit({ [name]: value }),
    onBlur: () => touch(name),
    readOnly,
    autoComplete: "off",
  };
}

type LineName = "headline" | "preview" | "publisherName";
type LineFieldProps = FieldProps & { readonly name: LineName; readonly control?: FieldHandle };

/** A text with a limit in characters. */
export function LineField({ name, control, ...field }: LineFieldProps) {
  const given = controlOf(name, field);
  const aside = <CharacterCounter text={field.state.text[name]} range={limits[name]} />;
  return (
    <Frame name={name} aside={aside} faults={field.faults}>
      {name === "preview" ? (
        <TextArea {...given} rows={4} ref={control?.hold} />
      ) : (
        <Input
          {...given}
          ref={control?.hold}
          className={name === "headline" ? "font-serif text-lg font-bold" : ""}
        />
      )}
    </Frame>
  );
}

/** Which stock the press is about. */
export function StockField(field: FieldProps) {
  const { data, error } = useQuery(stocks);
  const { stock } = field.state.text;
  const missing = stock !== "" && data?.every(({ symbol }) => symbol !== stock) !== false;
  const { readOnly, ...given } = controlOf("stock", field);
  return (
    <Frame name="stock" faults={field.faults}>
      <Options {...given} disabled={readOnly}>
        <option value="">{words.chooseStock}</option>
        {missing && <option value={stock}>{stock}</option>}
        {data?.map(({ symbol, name }) => (
          <option key={symbol} value={symbol}>
            {words.stockOption(symbol, name)}
          </option>
        ))}
      </Options>
      {error !== null && data === undefined && <p className="text-sm text-bad">{words.stocksFailed}</p>}
    </Frame>
  );
}

/** What a reader pays, and what the publisher gets of it. */
export function PriceField(field: FieldProps) {
  return (
    <div className="grid gap-3">
      <Frame name="priceUsdg" faults={field.faults}>
        <Input {...controlOf("priceUsdg", field)} inputMode="decimal" className="figure" />
      </Frame>
      <PriceSplit price={field.state.text.priceUsdg} />
    </div>
  );
}
