import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { isJsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ArgumentField, ArgumentGroup, ArgumentPath } from '../../contract/argumentFields.ts';
import { valueAt } from '../../schemaForms/argumentValues.ts';
import { startingItem } from '../../schemaForms/startingValues.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { Problem } from './fieldProblem.tsx';

interface AddMemberProps {
  readonly group: ArgumentGroup;
  readonly rest: ArgumentField;
  readonly path: ArgumentPath;
  readonly draft: ArgumentsDraft;
}

/** A member of any name, for objects that take such: it comes to stand among the others. */
export function AddMember({ group, rest, path, draft }: AddMemberProps): JSX.Element {
  const id = useId();
  const [name, setName] = useState('');
  const value = valueAt(draft.value ?? {}, path);
  const isThere = isJsonObject(value) && Object.hasOwn(value, name);
  const canAdd = name !== '' && !isThere;
  const label = group.label === '' ? t('Name of another argument') : t('Name of an entry in {0}', wholeText(revealInvisible(group.label)));
  const add = (): void => {
    if (canAdd) {
      draft.set([...path, name], startingItem(rest));
      setName('');
    }
  };
  return (
    <div class="add-member">
      <div class="argument-item">
        <label class="screen-reader-only" for={id}>
          {label}
        </label>
        <input
          id={id}
          class="input"
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder={label}
          value={name}
          aria-invalid={isThere}
          aria-describedby={`${id}-problem`}
          onInput={(event) => setName(event.currentTarget.value)}
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
