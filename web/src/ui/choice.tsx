import { useId } from "react";
import { Icon, type IconName } from "./icon.tsx";

type ChoiceProps<T extends string> = {
  readonly label: string;
  /** The chosen value; `undefined` means that no option is chosen. */
  readonly value: T | undefined;
  readonly options: readonly { readonly value: T; readonly label: string; readonly icon?: IconName }[];
  readonly onChange: (value: T) => void;
};

/** A choice between a few options: radio buttons that look like one control. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className="inline-flex rounded-full border border-edge bg-card p-1">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-9 cursor-pointer items-center gap-2 rounded-full px-4 text-sm font-medium has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.icon !== undefined && <Icon name={option.icon} />}
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

/**
 * A choice between many options. The browser itself draws the options, because on phones the browser's own control works best. `label` is
 * only for screen readers.
 */
export function Select<T extends string>({
  label,
  value,
  options,
  onChange,
}: ChoiceProps<T> & { readonly value: T }) {
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option !== undefined) onChange(option.value);
  };
  return (
    <span className="relative inline-flex max-sm:grow">
      <select
        aria-label={label}
        value={value}
        onChange={({ target }) => choose(target.value)}
        className="min-h-11 w-full appearance-none rounded-full border border-edge bg-card pr-10 pl-4 text-sm hover:bg-sunk"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon
        name="chevron"
        className="pointer-events-none absolute top-1/2 right-4 -translate-y-1/2 text-quiet"
      />
    </span>
  );
}
