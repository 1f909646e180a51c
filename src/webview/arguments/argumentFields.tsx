import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ArgumentField, ArgumentGroup, ArgumentPath } from '../../contract/argumentFields.ts';
import { extraFields, valueAt } from '../../schemaForms/argumentValues.ts';
import { Disclosure } from '../shared/disclosure.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { AddMember } from './addMember.tsx';
import type { DrawField, DrawOptions } from './argumentControl.tsx';
import { FieldInput } from './argumentFieldInput.tsx';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { VariantChoice } from './variantChoice.tsx';

interface GroupProps {
  readonly group: ArgumentGroup;
  readonly path: ArgumentPath;
  readonly draft: ArgumentsDraft;
  /** A remark on the value at a path, from whoever shows the form. */
  readonly remarkAt: (path: string) => string | undefined;
}

/** The members of an object: those that are given or needed, then what is given beyond the schema; the others are folded. */
export function ArgumentFields(props: GroupProps): JSX.Element {
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
  const isGiven = ({ name, isRequired }: ArgumentField): boolean => isRequired || valueAt(value ?? {}, [name]) !== undefined;
  // As it was at first: what is typed into must not move.
  const [given] = useState(() => group.fields.filter(isGiven));
  const others = group.fields.filter((field) => !given.includes(field));
  const extras = extraFields(group, value, revealInvisible);
  const draw: DrawField = (field, at, options) => (
    <FieldInput
      key={field.name}
      {...{ field, path: at, draft, remarkAt, draw, options }}
      members={(inner) => <ArgumentFields group={inner} path={at} draft={draft} remarkAt={remarkAt} />}
    />
  );
  const member = (field: ArgumentField, options?: DrawOptions): JSX.Element => draw(field, [...path, field.name], options);
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
