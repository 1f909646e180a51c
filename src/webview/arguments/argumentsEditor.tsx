import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ArgumentGroup } from '../../contract/argumentFields.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { Tabs } from '../shared/tabs.tsx';
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

type View = 'form' | 'json';

/** The same arguments twice: as a form, and as JSON. Only one of both is there, so neither can be old. */
export function ArgumentsEditor({ draft, form, remarkAt }: ArgumentsEditorProps): JSX.Element {
  const id = useId();
  const [view, setView] = useState<View>(form === undefined ? 'json' : 'form');
  const tabs = [
    ['form', t('Form')],
    ['json', t('JSON')],
  ] as const;
  return (
    <div class="section">
      <div class="arguments-head">
        <div class="section-label">{t('Arguments')}</div>
        {form !== undefined && <Tabs id={id} label={t('Show the arguments as')} tabs={tabs} view={view} onChange={setView} />}
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
