import type { ButtonHTMLAttributes, ComponentChildren, JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

/** The longest name, in characters, that a column is made as wide as. */
const maxWholeName = 24;

/** A codicon. It is always decoration: words next to it say what it means. */
export function Icon({
  name,
  tone,
  spin = false,
}: {
  readonly name: string;
  readonly tone?: string;
  readonly spin?: boolean;
}): JSX.Element {
  return (
    <span
      class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}${tone === undefined ? '' : ` tone-${tone}`}`}
      aria-hidden="true"
    />
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'label'> {
  readonly icon: string;
  /** Further classes of the button. */
  readonly class?: string;
  /** The accessible name, and the tooltip where no other one is given. */
  readonly label: string;
}

/** A button with nothing but an icon in it. */
export function IconButton({ icon, label, class: more, ...others }: IconButtonProps): JSX.Element {
  return (
    <button type="button" aria-label={label} title={label} {...others} class={more === undefined ? 'icon-button' : `icon-button ${more}`}>
      <Icon name={icon} />
    </button>
  );
}

interface DisclosureProps {
  readonly label: string;
  /** Says in a few words what is inside. */
  readonly inside: ComponentChildren;
  readonly isOpenAtFirst?: boolean;
  readonly children: ComponentChildren;
}

/** A part of a page that is folded until the person opens it, unless it is said to be open at first. */
export function Disclosure({ label, inside, isOpenAtFirst = false, children }: DisclosureProps): JSX.Element {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  return (
    <div class="section">
      <button type="button" class="disclosure" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span>{label}</span>
        <span class="disclosure-inside">{inside}</span>
      </button>
      <div id={id} class="disclosure-content" hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}

export interface TabsProps<View extends string> {
  /** The prefix of all ids: the panel that the tabs switch must have the id `ID-panel`; a tab gets `ID-VIEW`. */
  readonly id: string;
  readonly label: string;
  readonly tabs: readonly (readonly [view: View, label: string])[];
  readonly view: View;
  readonly onChange: (view: View) => void;
}

/** A row of tabs. The Tab key reaches the selected one, and the arrow keys lead to the others. */
export function Tabs<View extends string>({ id, label, tabs, view, onChange }: TabsProps<View>): JSX.Element {
  const row = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const views = tabs.map(([each]) => each);
    const next = nextTab(event.key, views, view);
    if (next !== undefined) {
      event.preventDefault();
      onChange(next);
      row.current?.querySelectorAll<HTMLElement>('[role="tab"]')[views.indexOf(next)]?.focus();
    }
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={row} onKeyDown={onKeyDown}>
      {tabs.map(([each, text]) => (
        <button
          key={each}
          type="button"
          role="tab"
          class="tab"
          id={`${id}-${each}`}
          aria-selected={view === each}
          aria-controls={`${id}-panel`}
          tabIndex={view === each ? 0 : -1}
          onClick={() => onChange(each)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** Returns the tab that a key leads to, from its arguments alone; undefined for a key that leads nowhere. */
export function nextTab<View extends string>(key: string, views: readonly View[], view: View): View | undefined {
  const at = views.indexOf(view);
  const last = views.length - 1;
  const to = { ArrowRight: Math.min(last, at + 1), ArrowLeft: Math.max(0, at - 1), Home: 0, End: last }[key];
  return to === undefined ? undefined : views[to];
}

/** Text in which no name is torn at its hyphen, unless it is too long for a column. */
export function WholeNames({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split(/(\S*-\S*)/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 && part.length <= maxWholeName ? (
          <span key={index} class="is-whole">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </>
  );
}

export function Problem({ id, text }: { readonly id?: string; readonly text: string | undefined }): JSX.Element {
  return (
    <div id={id} class="field-problem" aria-live="polite">
      {text !== undefined && (
        <>
          <Icon name="error" tone="error" />
          <span>{text}</span>
        </>
      )}
    </div>
  );
}

export function Remark({ text }: { readonly text: string | undefined }): JSX.Element | null {
  return text === undefined ? null : (
    <div class="argument-remark">
      <Icon name="warning" tone="warning" />
      <span>{text}</span>
    </div>
  );
}
