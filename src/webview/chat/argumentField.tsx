import type { InputHTMLAttributes, JSX, TargetedKeyboardEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ArgumentsForm } from '../../contract/chat/attachments.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { decideListKey } from './composerRules.ts';
import type { Completions } from './useCompletions.ts';

interface ArgumentFieldProps {
  readonly field: ArgumentsForm['fields'][number];
  readonly value: string;
  readonly completions: Completions;
  readonly onFocus: () => void;
  readonly onChange: (value: string) => void;
}

/** A text with what the server proposes for it. */
export function ArgumentField({ field, value, completions, onFocus, onChange }: ArgumentFieldProps): JSX.Element {
  const id = useId();
  const [active, setActive] = useState(-1);
  const found = completions.of(field.name).filter((each) => each !== value);
  const choose = (chosen: string | undefined): void => {
    if (chosen !== undefined) {
      onChange(chosen);
      completions.close();
      setActive(-1);
    }
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const key = found.length === 0 ? 'none' : decideListKey(event);
    if (key === 'none' || (key === 'choose' && active < 0)) {
      return;
    }
    event.preventDefault();
    if (key === 'choose') {
      choose(found[active]);
    } else if (key === 'dismiss') {
      completions.close();
    } else {
      setActive((active + (key === 'next' ? 1 : active < 0 ? 0 : -1) + found.length) % found.length);
    }
  };
  const label = `${revealInvisible(field.name)}${field.isRequired ? '' : ` ${t('(optional)')}`}`;
  const isOpen = found.length > 0;
  const about = field.description === '' ? {} : { 'aria-describedby': `${id}-about` };
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      <input
        {...{ id, value, onFocus, onKeyDown, ...about, ...boxAttributes(id, isOpen ? active : undefined) }}
        aria-required={field.isRequired}
        onBlur={completions.close}
        onInput={(event) => {
          setActive(-1);
          onChange(event.currentTarget.value);
        }}
      />
      <CompletionList id={id} found={found} active={active} onPoint={setActive} onChoose={choose} />
      {field.description !== '' && (
        <p id={`${id}-about`} class="secondary">
          {wholeText(field.description)}
        </p>
      )}
    </div>
  );
}

/** `active` is undefined while no list is shown, and -1 while nothing in it is chosen. */
function boxAttributes(id: string, active: number | undefined): InputHTMLAttributes {
  return {
    type: 'text',
    class: 'input',
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-expanded': active !== undefined,
    'aria-controls': `${id}-list`,
    ...(active === undefined || active < 0 ? {} : { 'aria-activedescendant': `${id}-${active}` }),
  };
}

interface CompletionListProps {
  readonly id: string;
  readonly found: readonly string[];
  readonly active: number;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (value: string) => void;
}

function CompletionList({ id, found, active, onPoint, onChoose }: CompletionListProps): JSX.Element {
  return (
    <div id={`${id}-list`} class="completion-list" role="listbox" aria-label={t('Suggestions')} hidden={found.length === 0}>
      {found.map((each, index) => (
        <div
          key={each}
          id={`${id}-${index}`}
          class={index === active ? 'suggestion-line is-active' : 'suggestion-line'}
          role="option"
          aria-selected={index === active}
          // The focus stays in the field.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => onPoint(index)}
          onClick={() => onChoose(each)}
        >
          {revealInvisible(each)}
        </div>
      ))}
    </div>
  );
}
