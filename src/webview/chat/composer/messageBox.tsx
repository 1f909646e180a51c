import type { JSX, RefObject, TargetedKeyboardEvent, TextareaHTMLAttributes } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ContextSuggestion } from '../../../contract/chat/attachments.ts';
import { attachmentIcon, attachmentLabel, kindWords } from '../../shared/attachmentTexts.ts';
import { Icon } from '../../shared/elements.tsx';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import type { ChatIntents } from '../chatIntents.ts';
import type { ChatStore } from '../chatStore.ts';
import { type ChatCommandName, isNamedLikeCommand, type ShownSuggestion } from './chatCommands.ts';
import { decideKey, decideListKey } from './composerRules.ts';
import { type EditedText, replaceTrigger, type Suggestions } from './suggestions.ts';

/** The id of the message box, which gets the focus when there is no better place for it. */
export const messageId = 'message';

export interface MessageBoxProps {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly store: ChatStore;
  readonly intents: ChatIntents;
  readonly suggestions: Suggestions;
  readonly lastMessage: string | undefined;
  readonly isInvalid: boolean;
  readonly onSend: () => void;
  readonly onEditLast: () => void;
  readonly onCommand: (name: ChatCommandName) => void;
  readonly onPaste: (data: DataTransfer | null) => boolean;
}

/** The message box, and the list of suggestions for the word at the caret. */
export function MessageBox(props: MessageBoxProps): JSX.Element {
  const { box, store, suggestions, isInvalid, onPaste } = props;
  const choose = (item: ShownSuggestion | undefined): void => chooseSuggestion(item, props);
  const look = ({ value, selectionStart }: HTMLTextAreaElement): void => suggestions.look(value, selectionStart);
  return (
    <>
      {suggestions.items.length > 0 && (
        <SuggestionList items={suggestions.items} active={suggestions.active} onChoose={choose} onPoint={suggestions.point} />
      )}
      <textarea
        ref={box}
        id={messageId}
        class="composer-text"
        rows={1}
        aria-label={t('Message')}
        placeholder={t('Ask, @ to attach, / for commands')}
        // The text comes from the store: the page is drawn once a frame, and a list that opens before that would bring older words back.
        value={store.view.draft}
        aria-invalid={isInvalid}
        aria-describedby="message-problem"
        {...listAttributes(suggestions)}
        onInput={(event) => {
          store.setDraft(event.currentTarget.value);
          look(event.currentTarget);
        }}
        onSelect={(event) => look(event.currentTarget)}
        onBlur={suggestions.dismiss}
        onPaste={(event) => onPaste(event.clipboardData) && event.preventDefault()}
        onKeyDown={(event) => onKeyDown(event, props, choose)}
      />
    </>
  );
}

function onKeyDown(
  event: TargetedKeyboardEvent<HTMLTextAreaElement>,
  { suggestions, lastMessage, onSend, onEditLast }: MessageBoxProps,
  choose: (item: ShownSuggestion | undefined) => void,
): void {
  const inList = suggestions.items.length === 0 ? 'none' : decideListKey(event);
  const action = inList === 'none' ? decideKey(event, event.currentTarget.value, lastMessage) : 'none';
  const acts = {
    choose: () => choose(suggestions.items[suggestions.active]),
    dismiss: suggestions.dismiss,
    next: () => suggestions.move(1),
    previous: () => suggestions.move(-1),
    send: () => {
      suggestions.dismiss();
      onSend();
    },
    editLast: onEditLast,
  };
  const name = inList === 'none' ? action : inList;
  if (name !== 'none') {
    event.preventDefault();
    acts[name]();
  }
}

function chooseSuggestion(item: ShownSuggestion | undefined, { box, store, intents, suggestions, onCommand }: MessageBoxProps): void {
  const { trigger } = suggestions;
  if (item === undefined || trigger === undefined) {
    return;
  }
  if (item.kind !== 'command') {
    intents.context.choose(item.id);
  }
  suggestions.dismiss();
  const edited = replaceTrigger(box.current?.value ?? store.view.draft, trigger, wordFor(item));
  putText(box.current, store, edited);
  // The next sign may stand where this one stood.
  suggestions.look(edited.text, edited.caret);
  if (item.kind === 'command') {
    onCommand(item.name);
  }
}

/** The word that stays in the sentence for what was chosen. */
function wordFor(item: ShownSuggestion): string {
  return item.kind === 'command' || item.kind === 'prompt' || item.kind === 'pick' || item.name === '' ? '' : attachmentLabel(item);
}

/** Puts a text into the box and sets the caret at once: with the next drawing the caret would be at the end. */
export function putText(box: HTMLTextAreaElement | null, store: ChatStore, { text, caret }: EditedText): void {
  store.setDraft(text);
  if (box !== null) {
    box.value = text;
    box.focus();
    box.setSelectionRange(caret, caret);
  }
}

/** The attributes by which the text box, which keeps the focus, tells screen readers the active suggestion. */
function listAttributes({ items, active }: Suggestions): TextareaHTMLAttributes {
  return {
    'aria-autocomplete': 'list',
    ...(items.length === 0
      ? {}
      : { 'aria-haspopup': 'listbox', 'aria-controls': suggestionsId, 'aria-activedescendant': optionId(active) }),
  };
}

const suggestionsId = 'suggestions';

function optionId(index: number): string {
  return `${suggestionsId}-${index}`;
}

export interface SuggestionListProps {
  readonly items: readonly ShownSuggestion[];
  readonly active: number;
  readonly onChoose: (item: ShownSuggestion) => void;
  readonly onPoint: (index: number) => void;
}

/** The list of suggestions above the text box, which keeps the focus. */
function SuggestionList({ items, active, onChoose, onPoint }: SuggestionListProps): JSX.Element {
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
          // Keeps the focus in the text box.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => onPoint(index)}
          onClick={() => onChoose(item)}
        >
          <SuggestionLine item={item} />
        </div>
      ))}
    </div>
  );
}

function SuggestionLine({ item }: { readonly item: ShownSuggestion }): JSX.Element {
  if (item.kind === 'command') {
    return (
      <>
        <Icon name="terminal" />
        <span class="suggestion-name">/{item.name}</span>
        <span class="suggestion-detail secondary">{item.detail}</span>
      </>
    );
  }
  return (
    <>
      <Icon name={attachmentIcon(item.kind)} />
      <span class="suggestion-name">{labelOf(item)}</span>
      <span class="suggestion-detail secondary">{detailOf(item)}</span>
      {item.isWithheld === true && <Icon name="lock" tone="warning" />}
      {item.choice !== undefined && <span class="secondary">{item.choice === 'pinned' ? t('pinned') : t('left out')}</span>}
    </>
  );
}

/** A prompt with the name of one of the chat's own commands is told apart by its server's. */
function labelOf(item: ContextSuggestion): string {
  return isNamedLikeCommand(item) && item.server !== undefined ? `${item.server}/${attachmentLabel(item)}` : attachmentLabel(item);
}

function detailOf({ kind, name, detail, server, count }: ContextSuggestion): string {
  const folder =
    kind === 'file' || kind === 'folder' || kind === 'selection' ? name.slice(0, Math.max(0, name.lastIndexOf('/', name.length - 2))) : '';
  return [
    ...(count === undefined ? [] : [formatNumber(count)]),
    ...(kind === 'selection' ? [kindWords(kind)] : []),
    ...(server === undefined ? [] : [server]),
    ...(folder === '' ? [] : [folder]),
    ...(detail === '' ? [] : [detail]),
  ].join(' · ');
}

function tooltipOf(item: ShownSuggestion): string {
  if (item.kind === 'command') {
    return item.detail;
  }
  const withheld = item.isWithheld === true ? [t('It is one of the files that are withheld: you are asked before it is sent.')] : [];
  const own = item.kind === 'pick' ? [t('You can also paste an image, or drop files here with Shift held down.')] : [];
  return [item.name === '' ? kindWords(item.kind) : item.name, detailOf(item), ...withheld, ...own]
    .filter((line) => line !== '')
    .join('\n');
}
