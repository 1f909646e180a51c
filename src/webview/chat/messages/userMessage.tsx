import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { BranchPlace } from '../../../contract/chat/messageActions.ts';
import type { UserItem } from '../../../contract/chat/chatState.ts';
import { IconButton } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import { PlainText } from '../../shared/plainText.tsx';
import { MessageEditingContext, type ChatIntents, type EditedMessage } from '../chatIntents.ts';
import { AttachmentChips, Pictures } from './attachments.tsx';
import { decideEditKey, maxMessageLength } from '../composer/composerRules.ts';

export interface UserMessageProps {
  readonly item: UserItem;
  readonly intents: ChatIntents;
}

export function UserMessage({ item, intents }: UserMessageProps): JSX.Element {
  const { edited } = useContext(MessageEditingContext);
  return (
    <article class="message is-user" dir="auto" aria-label={t('You')} data-message={item.id}>
      {item.attachments !== undefined && <AttachmentChips attachments={item.attachments} />}
      {item.attachments !== undefined && <Pictures itemId={item.id} attachments={item.attachments} />}
      {edited?.itemId === item.id ? (
        <EditBox item={item} edited={edited} intents={intents} />
      ) : (
        <>
          <div class="user-text" dir="auto">
            <PlainText text={item.text} />
          </div>
          <EditButton item={item} />
        </>
      )}
      {item.branch !== undefined && <Versions itemId={item.id} place={item.branch} intents={intents} />}
    </article>
  );
}

function EditButton({ item }: { readonly item: UserItem }): JSX.Element {
  const { beginEdit } = useContext(MessageEditingContext);
  return (
    <IconButton
      icon="edit"
      class="edit-message"
      label={t('Edit message')}
      title={t('Edit message: what came of it is kept as another version')}
      onClick={() => beginEdit(item.id, item.text, () => editButtonOf(item.id))}
    />
  );
}

/** Finds the edit button of a message, which is another element after the message was drawn again. */
function editButtonOf(itemId: string): HTMLElement | null {
  return document.querySelector(`[data-message="${CSS.escape(itemId)}"] .edit-message`);
}

function EditBox({ item, edited, intents }: UserMessageProps & { readonly edited: EditedMessage }): JSX.Element {
  const { setText, endEdit } = useContext(MessageEditingContext);
  const box = useRef<HTMLTextAreaElement>(null);
  // Before anything else can happen: a later move of the caret would undo a selection that was made meanwhile.
  useLayoutEffect(() => {
    const { current } = box;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const { text } = edited;
  const canSend = text.trim() !== '' && text.length <= maxMessageLength;
  const cancel = (): void => {
    endEdit();
    requestAnimationFrame(() => edited.from()?.focus());
  };
  const send = (): void => {
    if (canSend) {
      endEdit();
      intents.edit(item.id, text);
    }
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    const action = decideEditKey(event);
    if (action !== 'none') {
      event.preventDefault();
      (action === 'send' ? send : cancel)();
    }
  };
  return (
    <>
      <textarea
        ref={box}
        class="composer-text edit-text"
        aria-label={t('Edit message')}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="button-row edit-row">
        <button type="button" class="button is-secondary" onClick={cancel}>
          {t('Cancel')}
        </button>
        <button type="button" class="button is-primary" aria-disabled={!canSend} onClick={send}>
          {t('Send edited message')}
        </button>
      </div>
    </>
  );
}

interface VersionsProps {
  readonly itemId: string;
  readonly place: BranchPlace;
  readonly intents: ChatIntents;
}

function Versions({ itemId, place: { index, count }, intents }: VersionsProps): JSX.Element {
  const { isRunning } = useContext(MessageEditingContext);
  const step = (label: string, icon: string, to: number): JSX.Element => {
    const isOff = isRunning || to < 0 || to >= count;
    return <IconButton icon={icon} label={label} aria-disabled={isOff} onClick={() => !isOff && intents.showVersion(itemId, to)} />;
  };
  return (
    <div class="versions secondary" role="group" aria-label={t('Versions of this message')}>
      {step(t('Previous version'), 'chevron-left', index - 1)}
      <span class="versions-place" aria-live="polite">
        {t('{0} of {1}', index + 1, count)}
      </span>
      {step(t('Next version'), 'chevron-right', index + 1)}
    </div>
  );
}
