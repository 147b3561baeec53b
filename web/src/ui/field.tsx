import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps, ReactNode, SyntheticEvent } from "react";
import { Icon } from "./icon.tsx";

const controlClass =
  "w-full min-h-11 rounded-xl border border-edge bg-card px-3.5 py-2 text-base text-ink placeholder:text-quiet disabled:opacity-60 aria-invalid:border-bad";

type FieldProps = {
  readonly label: string;
  /** Content that is shown beside the label, such as a counter. */
  readonly aside?: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: ReactNode;
};

/** Connects a control with its label, hint and error. The control is an `Input` or another control of this module, such as `TextArea`. */
export function Field({ label, aside, hint, error, children }: FieldProps) {
  return (
    <Base.Root invalid={error !== undefined} className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <Base.Label className="font-medium">{label}</Base.Label>
        {aside}
      </div>
      {children}
      {hint !== undefined && <Base.Description className="text-sm text-quiet">{hint}</Base.Description>}
      {error !== undefined && (
        <Base.Error match role="alert" className="text-sm text-bad">
          {error}
        </Base.Error>
      )}
    </Base.Root>
  );
}

/** A one-line text inside a `Field`. */
export function Input({ className = "", ...rest }: Base.Control.Props) {
  return <Base.Control {...rest} className={`${controlClass} ${className}`} />;
}

/** An address or a hash inside a `Field`. */
export function HexInput(props: Base.Control.Props) {
  return <Input className="font-mono" autoComplete="off" spellCheck={false} {...props} />;
}

/** A multi-line text inside a `Field`. */
export function TextArea({ className = "", rows, ...rest }: Base.Control.Props & { readonly rows: number }) {
  return (
    <Base.Control {...rest} render={<textarea rows={rows} />} className={`${controlClass} ${className}`} />
  );
}

/** A select inside a `Field`; its children are `<option>`s. */
export function Options({ children, ...rest }: Base.Control.Props) {
  return (
    <span className="relative grid">
      <Base.Control
        {...rest}
        render={<select>{children}</select>}
        className={`${controlClass} appearance-none pr-10`}
      />
      <Icon
        name="chevron"
        className="pointer-events-none absolute top-1/2 right-4 -translate-y-1/2 text-quiet"
      />
    </span>
  );
}

type FormProps = Omit<ComponentProps<"form">, "onSubmit"> & { readonly onSubmit: () => void };

/**
 * A form whose content is sent by a script, not by the browser. The site itself shows the faults of the form, so the browser does not check
 * the form.
 */
export function Form({ onSubmit, ...rest }: FormProps) {
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return <form noValidate {...rest} onSubmit={submit} />;
}
