import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../base/json.ts';
import type { ArgumentField, ArgumentPath, ArgumentValue } from '../../contract/argumentFields.ts';
import { pathText } from '../../schemaForms/argumentValues.ts';
import { startingItem } from '../../schemaForms/startingValues.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { ChoiceControl, JsonControl, NumberControl, TextControl, type ControlProps } from './argumentControl.tsx';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { isShownAsIs, isShownInLine, placesAsked } from './argumentsState.ts';
import { Problem, Remark } from './fieldProblem.tsx';

/** The control of one value; JSON for what has none, or could not be shown by it as it is. */
export function ScalarControl({ isAsIs, ...props }: ControlProps & { readonly isAsIs: boolean }): JSX.Element {
  const { field } = props;
  if (!isAsIs) {
    return <JsonControl {...props} />;
  }
  switch (field.type) {
    case 'text':
      return <TextControl {...props} field={field} />;
    case 'number':
      return <NumberControl {...props} field={field} />;
    case 'boolean':
    case 'choice':
      return <ChoiceControl {...props} field={field} />;
    case 'list':
    case 'group':
    case 'variants':
    case 'json':
      return <JsonControl {...props} />;
  }
}

/** The items one below the other: a control each, or a field of its own for what is made of several. */
export function ListControl(props: ControlProps<Extract<ArgumentField, { readonly type: 'list' }>>): JSX.Element {
  const { field, path, value, draft, id, label, remarkAt, draw } = props;
  const [generation, setGeneration] = useState(0);
  const items: readonly JsonValue[] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  const remove = (index: number): void => {
    setGeneration(generation + 1);
    const isLast = items.length === 1 && !field.isRequired;
    draft.set(isLast ? path : [...path, index], undefined);
    // What was pressed is gone then, and the focus must not be.
    requestAnimationFrame(() => (document.getElementById(`${id}-${index}`) ?? document.getElementById(`${id}-add`))?.focus());
  };
  const asked = draft.askedAt(path);
  return (
    <div class="argument-list">
      {items.map((item, index) =>
        isShownInLine(field.item) ? (
          <ListItem
            key={`${generation}-${index}`}
            {...{ field, path: [...path, index], item, draft, id: `${id}-${index}`, index, label, remove, remarkAt, draw }}
            remark={placesAsked(asked, item)
              .map((place) => remarkAt(pathText([...path, place])))
              .find((text) => text !== undefined)}
          />
        ) : (
          <div class="argument-block" key={`${generation}-${index}`}>
            {draw({ ...field.item, label: t('{0} {1}', label, index + 1) }, [...path, index], {
              id: `${id}-${index}`,
              onRemove: () => remove(index),
            })}
          </div>
        ),
      )}
      <button
        type="button"
        id={`${id}-add`}
        class="button is-quiet add-item"
        onClick={() => draft.set(path, [...items, startingItem(field.item)])}
      >
        <Icon name="add" />
        {t('Add to {0}', label)}
      </button>
    </div>
  );
}

interface ListItemProps {
  readonly field: Extract<ArgumentField, { readonly type: 'list' }>;
  readonly path: ArgumentPath;
  readonly item: ArgumentValue;
  readonly draft: ArgumentsDraft;
  readonly id: string;
  readonly index: number;
  readonly label: string;
  readonly remove: (index: number) => void;
  readonly remarkAt: ControlProps['remarkAt'];
  readonly draw: ControlProps['draw'];
  readonly remark: string | undefined;
}

function ListItem({ field, path, item, draft, id, index, label, remove, remarkAt, draw, remark }: ListItemProps): JSX.Element {
  const [isAsIs] = useState(() => isShownAsIs(field.item, item) || (field.item.type === 'number' && item === ''));
  const problem = draft.problemAt(path);
  const name = t('{0} {1}', label, index + 1);
  return (
    <>
      <div class="argument-item">
        <label class="screen-reader-only" for={id}>
          {name}
        </label>
        <ScalarControl
          field={field.item}
          value={item}
          label={name}
          describedBy={`${id}-problem`}
          isInvalid={problem !== undefined}
          {...{ path, draft, id, isAsIs, remarkAt, draw }}
        />
        <button
          type="button"
          class="icon-button"
          aria-label={t('Remove {0}', name)}
          title={t('Remove {0}', name)}
          onClick={() => remove(index)}
        >
          <Icon name="close" />
        </button>
      </div>
      <Remark text={remark} />
      <Problem id={`${id}-problem`} text={problem} />
    </>
  );
}
