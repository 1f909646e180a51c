import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ConversationEntry, ConversationList } from '../../contract/chat/conversations.ts';
import { maxSearchLength } from '../../contract/pages/pageLimits.ts';
import { Icon, IconButton } from '../shared/elements.tsx';
import { formatDate } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import type { ConversationIntents } from './chatIntents.ts';

export interface ConversationsProps {
  readonly list: ConversationList | undefined;
  readonly shownId: string | undefined;
  readonly intents: ConversationIntents;
  readonly onClose: (isByKeyboard: boolean) => void;
}

/** The list of stored conversations. The pointer or the arrow keys mark one, and its row shows what can be done with it. */
export function Conversations({ list, shownId, intents, onClose }: ConversationsProps): JSX.Element {
  const [search, setSearch] = useState('');
  const [wanted, setWanted] = useState(shownId);
  const rows = useRef<HTMLUListElement>(null);
  useEffect(() => intents.show(search), [intents, search]);
  const entries = list?.entries ?? [];
  const active = entries.find(({ id }) => id === wanted) ?? entries[0];
  const open = (id: string): void => {
    intents.open(id);
    onClose(true);
  };
  const remove = (id: string): void => {
    setWanted(nextActive(entries, id));
    intents.delete(id);
    rows.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const key = keyInList(event, entries, active?.id, event.target === rows.current, event.target instanceof HTMLButtonElement);
    if (key !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      const actions = { close: () => onClose(true), mark: setWanted, open, rename: (id: string) => intents.rename(id), delete: remove };
      actions[key.action](key.id);
    }
  };
  return (
    <section class="conversations" aria-label={t('Kept conversations')} onKeyDown={onKeyDown}>
      <SearchBox search={search} onSearch={setSearch} />
      <div class="conversation-rows">
        <ul
          ref={rows}
          role="listbox"
          aria-label={t('Conversations')}
          tabIndex={0}
          {...(active === undefined ? {} : { 'aria-activedescendant': rowId(active.id) })}
        >
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} isShown={entry.id === shownId} isActive={entry === active} onMark={setWanted} onOpen={open} />
          ))}
        </ul>
        {active !== undefined && <RowActions entry={active} place={entries} intents={intents} onDelete={remove} onClose={onClose} />}
      </div>
      <Foot list={list} search={search} intents={intents} onUndone={() => rows.current?.focus()} />
    </section>
  );
}

function SearchBox({ search, onSearch }: { readonly search: string; readonly onSearch: (search: string) => void }): JSX.Element {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  return (
    <input
      ref={box}
      type="search"
      class="input"
      aria-label={t('Search conversations')}
      placeholder={t('Search conversations')}
      maxLength={maxSearchLength}
      value={search}
      onInput={(event) => onSearch(event.currentTarget.value)}
    />
  );
}

interface RowProps {
  readonly entry: ConversationEntry;
  readonly isShown: boolean;
  readonly isActive: boolean;
  readonly onMark: (id: string) => void;
  readonly onOpen: (id: string) => void;
}

function Row({ entry: { id, title, changedAt, state }, isShown, isActive, onMark, onOpen }: RowProps): JSX.Element {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive) {
      row.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isActive]);
  const name = revealInvisible(title) || t('Without a name');
  return (
    <li
      ref={row}
      id={rowId(id)}
      class={isActive ? 'conversation-row is-active' : 'conversation-row'}
      role="option"
      aria-selected={isShown}
      title={name}
      onPointerMove={() => onMark(id)}
      onClick={() => onOpen(id)}
    >
      <Icon
        name={
          state === 'answering'
            ? 'loading'
            : state === 'answeringElsewhere'
              ? 'multiple-windows'
              : isShown
                ? 'comment-discussion'
                : 'comment'
        }
        spin={state === 'answering'}
      />
      <span class="row-title" dir="auto">
        {name}
      </span>
      {state !== 'kept' && (
        <span class="screen-reader-only">{state === 'answering' ? t('being answered') : t('being answered in another window')}</span>
      )}
      <span class="row-date secondary">{formatDate(changedAt, Date.now())}</span>
    </li>
  );
}

interface RowActionsProps {
  readonly entry: ConversationEntry;
  /** The whole list: when it changes, the row may have moved. */
  readonly place: readonly ConversationEntry[];
  readonly intents: ConversationIntents;
  readonly onDelete: (id: string) => void;
  readonly onClose: (isByKeyboard: boolean) => void;
}

/**
 * The buttons of the marked row. They are beside the list and not in it, because not everybody can reach what is inside an option
 * of a list box.
 */
function RowActions({ entry: { id, title }, place, intents, onDelete, onClose }: RowActionsProps): JSX.Element {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const row = document.getElementById(rowId(id));
    if (bar.current !== null && row !== null) {
      bar.current.style.top = `${row.offsetTop}px`;
    }
  }, [id, place]);
  const actions = [
    { label: t('Rename'), icon: 'edit', run: () => intents.rename(id) },
    { label: t('Export'), icon: 'export', run: () => intents.export(id) },
    {
      label: t('Open in editor'),
      icon: 'open-in-window',
      run: () => {
        intents.openInEditor(id);
        onClose(false);
      },
    },
    { label: t('Delete'), icon: 'trash', run: () => onDelete(id) },
  ];
  return (
    <div ref={bar} class="row-actions" role="toolbar" aria-label={t('Actions for {0}', revealInvisible(title))}>
      {actions.map(({ label, icon, run }) => (
        <IconButton key={label} icon={icon} label={label} onClick={run} />
      ))}
    </div>
  );
}

interface FootProps {
  readonly list: ConversationList | undefined;
  readonly search: string;
  readonly intents: ConversationIntents;
  readonly onUndone: () => void;
}

function Foot({ list, search, intents, onUndone }: FootProps): JSX.Element {
  const deleted = list?.deleted;
  return (
    <div class="conversations-foot secondary" role="status">
      {list?.entries.length === 0 && (
        <p>{search.trim() === '' ? t('Conversations of this workspace are kept here.') : t('No conversation found.')}</p>
      )}
      {list?.isCut === true && <p>{t('There are more. Search to find them.')}</p>}
      {deleted !== undefined && (
        <p class="deleted">
          <span>{t('Deleted “{0}”.', revealInvisible(deleted.title))}</span>
          <button
            type="button"
            class="button is-secondary"
            onClick={() => {
              intents.undoDelete(deleted.id);
              onUndone();
            }}
          >
            {t('Undo')}
          </button>
        </p>
      )}
      {list !== undefined && list.unreadable.length > 0 && (
        <p>{t('Files that cannot be read, kept as they are: {0}', list.unreadable.map((name) => revealInvisible(name)).join(', '))}</p>
      )}
    </div>
  );
}

function rowId(id: string): string {
  return `conversation-${id}`;
}

export interface ListKey {
  readonly action: 'close' | 'mark' | 'open' | 'rename' | 'delete';
  readonly id: string;
}

interface PressedKey {
  readonly key: string;
  readonly isComposing: boolean;
}

/** Decides what a key does in the list of conversations; undefined leaves the key to the browser. */
export function keyInList(
  { key, isComposing }: PressedKey,
  entries: readonly ConversationEntry[],
  activeId: string | undefined,
  isInRows: boolean,
  isOnButton: boolean,
): ListKey | undefined {
  if (isComposing) {
    return undefined;
  }
  if (key === 'Escape') {
    return { action: 'close', id: '' };
  }
  const index = entries.findIndex(({ id }) => id === activeId);
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, ...(isInRows ? { Home: 0, End: entries.length - 1 } : {}) }[key];
  if (target !== undefined) {
    const marked = entries[Math.max(0, Math.min(entries.length - 1, target))];
    return marked === undefined ? undefined : { action: 'mark', id: marked.id };
  }
  if (activeId === undefined || isOnButton) {
    return undefined;
  }
  const actions: Readonly<Record<string, ListKey['action']>> = {
    Enter: 'open',
    F2: 'rename',
    ...(isInRows ? { Delete: 'delete', ' ': 'open' } : {}),
  };
  const action = actions[key];
  return action === undefined ? undefined : { action, id: activeId };
}

/** The conversation that is marked when this one is gone. */
export function nextActive(entries: readonly ConversationEntry[], goneId: string): string | undefined {
  const index = entries.findIndex(({ id }) => id === goneId);
  return (entries[index + 1] ?? entries[index - 1])?.id;
}
