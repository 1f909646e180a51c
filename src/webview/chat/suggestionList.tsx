import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ContextSuggestion } from '../../contract/chat/attachments.ts';
import { attachmentIcon, attachmentLabel, kindWords } from '../shared/attachmentTexts.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';

export const suggestionsId = 'suggestions';

export function optionId(index: number): string {
  return `${suggestionsId}-${index}`;
}

export interface SuggestionListProps {
  readonly items: readonly ContextSuggestion[];
  readonly active: number;
  readonly onChoose: (item: ContextSuggestion) => void;
  readonly onPoint: (index: number) => void;
}

/** Above the text, which keeps the focus: the active line is told to screen readers from there. */
export function SuggestionList({ items, active, onChoose, onPoint }: SuggestionListProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active, items]);
  return (
    <div ref={list} id={suggestionsId} class="suggestion-list" role="listbox" aria-label={t('Suggestions')}>
      {items.map((item, index) => (
        <div
          key={item.id}
          id={optionId(index)}
          class={index === active ? 'suggestion-line is-active' : 'suggestion-line'}
          role="option"
          aria-selected={index === active}
          title={tooltipOf(item)}
          // The focus stays in the text.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => onPoint(index)}
          onClick={() => onChoose(item)}
        >
          <Icon name={attachmentIcon(item.kind)} />
          <span class="suggestion-name">{attachmentLabel(item)}</span>
          <span class="suggestion-detail secondary">{detailOf(item)}</span>
          {item.isWithheld === true && <Icon name="lock" tone="warning" />}
          {item.choice !== undefined && <span class="secondary">{item.choice === 'pinned' ? t('pinned') : t('left out')}</span>}
        </div>
      ))}
    </div>
  );
}

function detailOf({ kind, name, detail, server, count }: ContextSuggestion): string {
  const folder =
    kind === 'file' || kind === 'folder' || kind === 'selection' ? name.slice(0, Math.max(0, name.lastIndexOf('/', name.length - 2))) : '';
  return [
    ...(count === undefined ? [] : [count.toLocaleString('en')]),
    ...(kind === 'selection' ? [kindWords(kind)] : []),
    ...(server === undefined ? [] : [server]),
    ...(folder === '' ? [] : [folder]),
    ...(detail === '' ? [] : [detail]),
  ].join(' · ');
}

function tooltipOf(item: ContextSuggestion): string {
  const withheld = item.isWithheld === true ? [t('It is one of the files that are withheld: you are asked before it is sent.')] : [];
  const own = item.kind === 'pick' ? [t('You can also paste an image, or drop files here with Shift held down.')] : [];
  return [item.name === '' ? kindWords(item.kind) : item.name, detailOf(item), ...withheld, ...own]
    .filter((line) => line !== '')
    .join('\n');
}
