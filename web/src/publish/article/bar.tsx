import { Toolbar } from "@base-ui/react/toolbar";
import { redo, undo } from "prosemirror-history";
import type { Command, EditorState } from "prosemirror-state";
import { isInTable } from "prosemirror-tables";
import { type FormEvent, type ReactNode, useState } from "react";
import { editor as words } from "../../strings/editor.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Picture } from "../../ui/icon.tsx";
import {
  commands,
  type Format,
  findHref,
  formats,
  hasFormat,
  setLink,
  type TableFormat,
  tableFormats,
} from "./formats.ts";

type FormatBarProps = {
  readonly state: EditorState;
  /** Runs a command on the text and moves the focus to the text. */
  readonly run: (command: Command) => void;
  /** Whether the field for a link's address is open. */
  readonly linking: boolean;
  readonly onLinking: (linking: boolean) => void;
};

/** On a telephone, the tools are one row, which scrolls sideways. */
const tools = "flex gap-0.5 overflow-x-auto p-1 [scrollbar-width:none] sm:flex-wrap";

/** The bars whose buttons format the selection. The Tab key reaches each bar once, and the arrow keys move between the buttons of a bar. */
export function FormatBar({ state, run, linking, onLinking }: FormatBarProps) {
  const makeToolProps = (name: Exclude<Format, "link"> | TableFormat) => ({
    disabled: !commands[name](state),
    onClick: () => run(commands[name]),
  });
  return (
    // The bar sticks below the masthead. In a wide window, the bar sticks below the line with the draft's state.
    <div className="sticky top-23.5 z-9 grid gap-1 bg-paper py-1.5 sm:top-27">
      <Toolbar.Root aria-label={words.formatting} className={tools}>
        {formats.map((name) => (
          <Tool
            key={name}
            label={words.formats[name]}
            shortcut={shortcuts[name]}
            pressed={hasFormat(state, name)}
            {...(name === "link"
              ? { disabled: false, onClick: () => onLinking(!linking) }
              : makeToolProps(name))}
          >
            {pictures[name]}
          </Tool>
        ))}
        <Tool label={words.undo} shortcut="Z" disabled={!undo(state)} onClick={() => run(undo)}>
          {renderPicture("M6 3 3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H7")}
        </Tool>
        <Tool label={words.redo} shortcut="Y" disabled={!redo(state)} onClick={() => run(redo)}>
          {renderPicture("m10 3 3 3-3 3m3-3H6.5a3.5 3.5 0 0 0 0 7H9")}
        </Tool>
      </Toolbar.Root>
      {isInTable(state) && (
        <Toolbar.Root aria-label={words.tableTools} className={tools}>
          {tableFormats.map((name) => (
            <Tool key={name} label={words.tableFormats[name]} {...makeToolProps(name)}>
              {words.tableFormats[name]}
            </Tool>
          ))}
        </Toolbar.Root>
      )}
      {linking && <LinkForm href={findHref(state)} run={run} onDone={() => onLinking(false)} />}
    </div>
  );
}

/** The keys that apply a format if they are pressed together with Control, or with Command on a Mac. */
const shortcuts: Readonly<Partial<Record<Format, string>>> = { bold: "B", italic: "I", link: "K" };

const renderPicture = (path: string) => <Picture path={path} />;

const renderLetter = (text: string, look: string) => (
  <span aria-hidden="true" className={`font-serif ${look}`}>
    {text}
  </span>
);

const pictures: Readonly<Record<Format, ReactNode>> = {
  bold: renderLetter("B", "font-bold"),
  italic: renderLetter("I", "italic"),
  heading: renderLetter("H", "text-lg font-bold"),
  subheading: renderLetter("H", "text-sm font-bold"),
  link: renderPicture(
    "M6.5 9.5 9.5 6.5M7.5 4.5l1-1a2.8 2.8 0 0 1 4 4l-1 1M8.5 11.5l-1 1a2.8 2.8 0 0 1-4-4l1-1",
  ),
  quote: renderPicture("M3 3v10M6.5 5H13M6.5 8H13M6.5 11H11"),
  bullets: renderPicture("M3 4h.01M3 8h.01M3 12h.01M6.5 4H13M6.5 8H13M6.5 12H13"),
  numbers: renderPicture("M2.5 3h1v3M2.5 9.5h1.5l-1.5 3H4M7 4.5h6M7 11.5h6"),
  table: renderPicture("M2.5 3h11v10h-11zM2.5 6.5h11M8 6.5V13"),
  footnote: renderPicture("M2.5 13 6 4l3.5 9M3.7 10h4.6M11.5 3l1.5-.8V7"),
  rule: renderPicture("M2.5 8h11"),
};

type ToolProps = {
  readonly label: string;
  readonly shortcut?: string | undefined;
  readonly pressed?: boolean;
  readonly disabled: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
};

function Tool({ label, shortcut, pressed, disabled, onClick, children }: ToolProps) {
  return (
    <Toolbar.Button
      className="grid min-h-10 min-w-10 flex-none place-items-center rounded-lg px-2 text-sm text-ink hover:bg-sunk aria-pressed:bg-accent-soft aria-pressed:text-accent data-disabled:opacity-45"
      aria-label={label}
      aria-pressed={pressed}
      aria-keyshortcuts={shortcut === undefined ? undefined : `Control+${shortcut}`}
      title={shortcut === undefined ? label : `${label}: ${words.shortcut(shortcut)}`}
      disabled={disabled}
      // The button's default action is prevented, so that the text keeps its selection and a telephone keeps its keyboard open.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {children}
    </Toolbar.Button>
  );
}

type LinkFormProps = Pick<FormatBarProps, "run"> & { readonly href: string; readonly onDone: () => void };

/** The field for the address of the link on the selected words. */
function LinkForm({ href, run, onDone }: LinkFormProps) {
  const [address, setAddress] = useState(href);
  const set = (value: string) => {
    run(setLink(value));
    onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    set(address);
  };
  return (
    // A form inside the press's form is not allowed, and Enter must not submit the press's form.
    <fieldset
      aria-label={words.formats.link}
      className="flex flex-wrap items-end gap-2 rounded-xl border border-line bg-card p-3"
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) submit(event);
        if (event.key !== "Escape") return;
        run(() => true);
        onDone();
      }}
    >
      <div className="min-w-0 flex-1 basis-56">
        <Field label={words.linkAddress}>
          <Input
            value={address}
            onValueChange={setAddress}
            inputMode="url"
            autoComplete="off"
            autoFocus
            placeholder="https://"
          />
        </Field>
      </div>
      <Button look="primary" onClick={() => set(address)}>
        {words.linkSet}
      </Button>
      {href !== "" && <Button onClick={() => set("")}>{words.linkRemove}</Button>}
    </fieldset>
  );
}
