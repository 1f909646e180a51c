import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { isJsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { FormField, FormGroup, ValuePath } from '../../contract/forms/formFields.ts';
import { extraFields, startingItem, valueAt } from '../../schemaForms/argumentValues.ts';
import { Disclosure, Icon, Problem, Tabs } from '../shared/elements.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { TextLine, useFocusAdded, WholeTextArea } from './controls.tsx';
import { type DrawField, type DrawOptions, FieldInput, VariantChoice } from './fieldInput.tsx';

interface ArgumentsEditorProps {
  readonly draft: ArgumentsDraft;
  readonly form: FormGroup | undefined;
  /** A remark on the value at a path, such as `list[0].name`. */
  readonly remarkAt: (path: string) => string | undefined;
}

type View = 'form' | 'json';

/** Shows the same arguments as a form or as JSON. Only one of both is drawn at a time, so neither can be out of date. */
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
          <ArgumentsAsJson draft={draft} />
        ) : (
          <DraftForm draft={draft} form={form} remarkAt={remarkAt} />
        )}
      </div>
    </div>
  );
}

/** The arguments as a form alone, for a page that has JSON elsewhere. */
export function DraftForm({ draft, form, remarkAt }: ArgumentsEditorProps & { readonly form: FormGroup }): JSX.Element {
  const id = useId();
  return draft.value === undefined ? (
    <p class="secondary">
      <Icon name="error" tone="error" /> {t('What stands under JSON is no JSON object yet. Mend it there, and the form follows.')}
    </p>
  ) : (
    <>
      <ArgumentFields group={form} path={[]} draft={draft} remarkAt={remarkAt} />
      <Problem id={id} text={draft.problemAt([]) ?? draft.refusal} />
    </>
  );
}

export function ArgumentsAsJson({ draft }: { readonly draft: ArgumentsDraft }): JSX.Element {
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

interface GroupProps {
  readonly group: FormGroup;
  readonly path: ValuePath;
  readonly draft: ArgumentsDraft;
  /** A remark on the value at a path, from whoever shows the form. */
  readonly remarkAt: (path: string) => string | undefined;
}

/**
 * Draws the members of an object: first those that are given or required, then those that the schema does not name; the others
 * are folded.
 */
function ArgumentFields(props: GroupProps): JSX.Element {
  const { group, path, draft } = props;
  const { variants } = group;
  if (variants === undefined) {
    return <Members {...props} />;
  }
  const chosen = draft.variantAt(path, variants);
  const inner = variants[chosen ?? 0]?.field;
  return (
    <div class="argument-fields">
      <VariantChoice label={t('Arguments')} {...{ variants, path, draft, chosen, isRequired: true }} />
      {inner?.type === 'group' && <Members key={chosen} {...props} group={inner} />}
    </div>
  );
}

function Members({ group, path, draft, remarkAt }: GroupProps): JSX.Element {
  const value = valueAt(draft.value ?? {}, path);
  const isGiven = ({ name, isRequired }: FormField): boolean => isRequired || valueAt(value ?? {}, [name]) !== undefined;
  // Decided once, by name, because the form itself may come anew: a field that is typed into must not move.
  const [first] = useState(() => new Set(group.fields.filter(isGiven).map(({ name }) => name)));
  const given = group.fields.filter(({ name }) => first.has(name));
  const others = group.fields.filter(({ name }) => !first.has(name));
  const extras = extraFields(group, value, revealInvisible);
  const draw: DrawField = (field, at, options) => (
    <FieldInput
      key={field.name}
      {...{ field, path: at, draft, remarkAt, draw, options }}
      members={(inner) => <ArgumentFields group={inner} path={at} draft={draft} remarkAt={remarkAt} />}
    />
  );
  const member = (field: FormField, options?: DrawOptions): JSX.Element => draw(field, [...path, field.name], options);
  const isEmpty = given.length === 0 && extras.length === 0 && group.rest === undefined;
  return (
    <div class="argument-fields">
      {given.map((field) => member(field))}
      {extras.map((field) =>
        member(field, {
          note: group.isWhole ? t('not in the tool’s schema') : undefined,
          onRemove: () => draft.set([...path, field.name], undefined),
        }),
      )}
      {isEmpty && <p class="secondary">{t('No arguments.')}</p>}
      {group.rest !== undefined && <AddMember {...{ group, rest: group.rest, path, draft }} />}
      {others.length > 0 && (
        <Disclosure
          label={t('Not given')}
          inside={plural(
            others.length,
            () => t('1 more parameter'),
            (count) => t('{0} more parameters', count),
          )}
        >
          <div class="argument-fields">{others.map((field) => member(field))}</div>
        </Disclosure>
      )}
    </div>
  );
}

interface AddMemberProps {
  readonly group: FormGroup;
  readonly rest: FormField;
  readonly path: ValuePath;
  readonly draft: ArgumentsDraft;
}

/** Adds a member with a name that the person types, to objects that take any name. */
function AddMember({ group, rest, path, draft }: AddMemberProps): JSX.Element {
  const id = useId();
  const [name, setName] = useState('');
  const value = valueAt(draft.value ?? {}, path);
  const isThere = isJsonObject(value) && Object.hasOwn(value, name);
  const canAdd = name !== '' && !isThere;
  const label = group.label === '' ? t('Name of another argument') : t('Name of an entry in {0}', wholeText(revealInvisible(group.label)));
  const root = useRef<HTMLDivElement>(null);
  // The new member is drawn right before this line.
  const focusAdded = useFocusAdded((added: string) =>
    isJsonObject(value) && Object.hasOwn(value, added) ? root.current?.previousElementSibling : null,
  );
  const add = (): void => {
    if (canAdd) {
      focusAdded(name);
      draft.set([...path, name], startingItem(rest));
      setName('');
    }
  };
  return (
    <div ref={root} class="add-member">
      <div class="argument-item">
        <label class="screen-reader-only" for={id}>
          {label}
        </label>
        <TextLine
          id={id}
          spellcheck={false}
          placeholder={label}
          value={name}
          aria-invalid={isThere}
          aria-describedby={`${id}-problem`}
          onInput={setName}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.isComposing) {
              event.preventDefault();
              add();
            }
          }}
        />
        <button type="button" class="button is-quiet" aria-disabled={!canAdd} onClick={add}>
          <Icon name="add" />
          {t('Add')}
        </button>
      </div>
      <Problem id={`${id}-problem`} text={isThere ? t('This name is there already.') : undefined} />
    </div>
  );
}
