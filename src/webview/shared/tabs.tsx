import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { nextTab } from './nextTab.ts';

export interface TabsProps<View extends string> {
  /** The panel is called `ID-panel`, a tab `ID-VIEW`. */
  readonly id: string;
  readonly label: string;
  readonly tabs: readonly (readonly [view: View, label: string])[];
  readonly view: View;
  readonly onChange: (view: View) => void;
}

/** One of them is in the order of Tab; the arrows lead to the others. */
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
