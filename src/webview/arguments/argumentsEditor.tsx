import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { ArgumentGroup } from '../../contract/argumentFields.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { ArgumentFields } from './argumentFields.tsx';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { Problem } from './fieldProblem.tsx';
import { WholeTextArea } from './wholeTextArea.tsx';

interface ArgumentsEditorProps {
  readonly draft: ArgumentsDraft;
  readonly form: ArgumentGroup | undefined;
  /** A remark on the value at a path, such as `list[0].name`. */
  readonly remarkAt: (path: string) => string | undefined;
}

const views = ['form', 'json'] as const;
type View = (typeof views)[number];

/** The same arguments twice: as a form, and as JSON. Only one of both is there, so neither can be old. */
export function ArgumentsEditor({ draft, form, remarkAt }: ArgumentsEditorProps): JSX.Element {
  const id = useId();
  const [view, setView] = useState<View>(form === undefined ? 'json' : 'form');
  return (
    <div class="section">
      <div class="arguments-head">
        <div class="section-label">{t('Arguments')}</div>
        {form !== undefined && <Tabs id={id} view={view} onChange={setView} />}
      </div>
      <div id={`${id}-panel`} {...(form === undefined ? {} : { role: 'tabpanel', 'aria-labelledby': `${id}-${view}` })}>
        {view === 'json' || form === undefined ? (
          <JsonView draft={draft} />
        ) : draft.value === undefined ? (
          <p class="secondary">
            <Icon name="error" tone="error" /> {t('What stands under JSON is no JSON object yet. Mend it there, and the form follows.')}
          </p>
        ) : (
          <FormView draft={draft} form={form} remarkAt={remarkAt} />
        )}
      </div>
    </div>
  );
}

interface TabsProps {
  readonly id: string;
  readonly view: View;
  readonly onChange: (view: View) => void;
}

function Tabs({ id, view, onChange }: TabsProps): JSX.Element {
  const row = useRef<HTMLDivElement>(null);
  const labels: Readonly<Record<View, string>> = { form: t('Form'), json: t('JSON') };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { ArrowRight: 'json', ArrowLeft: 'form', Home: 'form', End: 'json' }[event.key] as View | undefined;
    if (next !== undefined) {
      event.preventDefault();
      onChange(next);
      row.current?.querySelector<HTMLElement>(`[data-view="${next}"]`)?.focus();
    }
  };
  return (
    <div class="tabs" role="tablist" aria-label={t('Show the arguments as')} ref={row} onKeyDown={onKeyDown}>
      {views.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          class="tab"
          id={`${id}-${each}`}
          data-view={each}
          aria-selected={view === each}
          aria-controls={`${id}-panel`}
          tabIndex={view === each ? 0 : -1}
          onClick={() => onChange(each)}
        >
          {labels[each]}
        </button>
      ))}
    </div>
  );
}

function FormView({ draft, form, remarkAt }: ArgumentsEditorProps & { readonly form: ArgumentGroup }): JSX.Element {
  const id = useId();
  return (
    <>
      <ArgumentFields group={form} path={[]} draft={draft} remarkAt={remarkAt} />
      <Problem id={id} text={draft.problemAt([]) ?? draft.refusal} />
    </>
  );
}

function JsonView({ draft }: { readonly draft: ArgumentsDraft }): JSX.Element {
  const id = useId();
  return (
    <>
      <label class="screen-reader-only" for={id}>
        {t('Arguments as JSON')}
      </label>
      <WholeTextArea
        id={id}
        text={draft.text}
        label={t('Arguments as JSON')}
        editLabel={t('Edit arguments')}
        isInvalid={draft.problem !== undefined}
        describedBy={`${id}-problem`}
        onInput={draft.setText}
      />
      <Problem id={`${id}-problem`} text={draft.problem} />
    </>
  );
}
