// composer/: where a message is written: its text box with suggestions, what is attached, the line below it and the panel above.
import type { JSX, RefObject } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { revealInContent } from '../../../base/visibleText.ts';
import type { QueuedMessage } from '../../../contract/chat/messageActions.ts';
import type { Pickable } from '../../../contract/chat/contextBudget.ts';
import type { ChatState, UserItem } from '../../../contract/chat/chatState.ts';
import { Icon, IconButton, Problem } from '../../shared/elements.tsx';
import { plural } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { MessageEditingContext, type ChatIntents } from '../chatIntents.ts';
import type { ChatStore } from '../chatStore.ts';
import { AttachmentChips } from '../messages/attachments.tsx';
import { LazyAttachmentForm } from '../chatParts.tsx';
import { type ChatCommands, typedCommand, useChatCommands } from './chatCommands.ts';
import { ComposerFoot, ContextMeter, ModelChoice } from './composerFoot.tsx';
import { sendability } from './composerRules.ts';
import { useDropping, usePasteAndDrop } from './droppedThings.ts';
import { composerPanelId, LazyComposerPanel, type OpenPanel, useComposerPanel } from './lazyComposerPanel.tsx';
import { MessageBox, putText } from './messageBox.tsx';
import { insertTrigger, type Suggestions, useSuggestions } from './suggestions.ts';

export interface ComposerProps {
  readonly state: ChatState | undefined;
  readonly draft: string;
  readonly tools: Pickable | undefined;
  readonly store: ChatStore;
  readonly intents: ChatIntents;
  readonly lastMessage: UserItem | undefined;
}

export function Composer({ state, draft, tools, store, intents, lastMessage }: ComposerProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  const panel = useFocusedPanel(store, box);
  const { canSend, problem } = sendability(state, draft);
  const isRunning = state?.isRunning === true;
  const commands = useChatCommands(store, intents, panel);
  const suggestions = useSuggestions(store, intents);
  const send = (): void => sendDraft(box.current, { store, intents, suggestions, commands });
  const editLast = useEditLast(lastMessage, box);
  const taking = usePasteAndDrop(intents);
  const isDropTarget = useDropping(taking.take);
  const attach = (): void => attachAtCaret(box.current, store, suggestions);
  return (
    <div class={isDropTarget ? 'composer-frame is-drop-target' : 'composer-frame'}>
      <Form state={state} store={store} intents={intents} />
      <LazyComposerPanel panel={panel} state={state} tools={tools} onServers={() => intents.showTools()} />
      <Queue state={state} store={store} intents={intents} />
      <div class={problem === undefined ? 'composer' : 'composer is-invalid'}>
        <AttachmentChips attachments={state?.attached?.attachments ?? []} onRemove={(id) => intents.context.remove(id)} />
        <MessageBox
          {...{ box, store, intents, suggestions }}
          onCommand={commands.run}
          lastMessage={lastMessage?.text}
          isInvalid={problem !== undefined}
          onSend={send}
          onEditLast={editLast}
          onPaste={taking.takePaste}
        />
        <ComposerBar isRunning={isRunning} canSend={canSend} onSend={send} onAttach={attach} intents={intents} panel={panel} />
      </div>
      <Problem id="message-problem" text={problem} />
      <div class="held-back secondary" role="status">
        {taking.note === '' ? commands.note : taking.note}
      </div>
      <Foot state={state} intents={intents} panel={panel} />
    </div>
  );
}

interface Sending extends Pick<ComposerProps, 'store' | 'intents'> {
  readonly suggestions: Suggestions;
  readonly commands: ChatCommands;
}

/** Sends the message, or runs it if it is a command of the chat itself. */
function sendDraft(box: HTMLTextAreaElement | null, { store, intents, suggestions, commands }: Sending): void {
  // The text comes from the store, not from the last drawing: keys may come faster than frames.
  const { state, draft } = store.view;
  const command = typedCommand(draft);
  const { canSend } = sendability(state, draft);
  if (canSend) {
    // The box is emptied at once: a key that comes before the next drawing would bring the sent words back with it.
    putText(box, store, { text: '', caret: 0 });
    suggestions.look('', 0);
  }
  box?.focus();
  if (canSend && command !== undefined) {
    commands.run(command);
  } else if (canSend) {
    intents.send(draft);
  }
}

/** Opens the list of suggestions as if the person had typed `@` at the caret. */
function attachAtCaret(box: HTMLTextAreaElement | null, store: ChatStore, suggestions: Suggestions): void {
  const text = box?.value ?? store.view.draft;
  const edited = insertTrigger(text, box?.selectionStart ?? text.length, '@');
  putText(box, store, edited);
  suggestions.look(edited.text, edited.caret);
}

function Form({ state, store, intents }: Pick<ComposerProps, 'state' | 'store' | 'intents'>): JSX.Element | null {
  const form = state?.attached?.form;
  return form === undefined ? null : <LazyAttachmentForm key={form.id} form={form} store={store} intents={intents} />;
}

function Foot({ state, intents, panel }: Pick<ComposerProps, 'state' | 'intents'> & { readonly panel: OpenPanel }): JSX.Element | null {
  if (state === undefined) {
    return null;
  }
  const context = state.context === undefined ? undefined : <ContextMeter budget={state.context} panel={panel} />;
  return <ComposerFoot state={state} intents={intents} model={<ModelChoice state={state} intents={intents} />} context={context} />;
}

interface ComposerBarProps {
  readonly isRunning: boolean;
  readonly canSend: boolean;
  readonly onSend: () => void;
  readonly onAttach: () => void;
  readonly intents: ChatIntents;
  readonly panel: OpenPanel;
}

/** How long, in ms, Send does nothing where Stop was: a press that was aimed at Stop sends no half-written message. */
const settlingTime = 500;

interface Settling {
  readonly isSettling: boolean;
  /** Whether a press was aimed at the button that is there now. */
  readonly takes: (event: Event) => boolean;
}

/** Follows when the round button has become another one. */
function useSettling(isRunning: boolean): Settling {
  const button = useRef({ isRunning, changes: 0, since: Number.NEGATIVE_INFINITY });
  if (button.current.isRunning !== isRunning) {
    button.current = { isRunning, changes: button.current.changes + 1, since: performance.now() };
  }
  const { changes, since } = button.current;
  const [settled, setSettled] = useState(changes);
  useLayoutEffect(() => {
    const timer = setTimeout(() => setSettled(changes), settlingTime);
    return () => clearTimeout(timer);
  }, [changes]);
  return { isSettling: settled !== changes, takes: ({ timeStamp }) => timeStamp - since >= settlingTime };
}

function ComposerBar({ isRunning, canSend, onSend, onAttach, intents, panel }: ComposerBarProps): JSX.Element {
  const { isSettling, takes } = useSettling(isRunning);
  const send = (event: Event): void => (takes(event) ? onSend() : undefined);
  const round = isRunning
    ? { label: t('Stop'), title: t('Stop'), icon: 'debug-stop', style: ' is-stop', isDisabled: false, run: () => intents.stop() }
    : { label: t('Send'), title: t('Send (Enter)'), icon: 'arrow-up', style: '', isDisabled: !canSend || isSettling, run: send };
  return (
    <div class="composer-bar">
      <IconButton
        icon="attach"
        label={t('Attach')}
        title={t('Attach files, problems, resources… You can also paste an image, or drop files with Shift held down.')}
        onClick={onAttach}
      />
      <IconButton
        icon="tools"
        label={t('Tools')}
        title={t('Tools: choose what the model is offered')}
        aria-expanded={panel.name === 'tools'}
        aria-controls={composerPanelId}
        onClick={() => panel.toggle('tools')}
      />
      <span class="spacer" />
      <button
        type="button"
        class={`round-button${round.style}`}
        aria-label={round.label}
        title={round.title}
        aria-disabled={round.isDisabled}
        onClick={round.run}
      >
        <Icon name={round.icon} />
      </button>
    </div>
  );
}

function Queue({ state, store, intents }: Pick<ComposerProps, 'state' | 'store' | 'intents'>): JSX.Element {
  const queue = state?.isRunning === true ? (state.queue ?? []) : [];
  return <QueuedMessages queue={queue} onEdit={(message) => store.takeBack([message])} onRemove={({ id }) => intents.unqueue([id])} />;
}

/** The panel above the message. The text box gets the focus when the host asks for that, and when the panel closes. */
function useFocusedPanel(store: ChatStore, box: RefObject<HTMLElement | null>): OpenPanel {
  useFocusAsked(store, box);
  return useComposerPanel(() => box.current?.focus());
}

function useEditLast(last: ComposerProps['lastMessage'], box: RefObject<HTMLElement | null>): () => void {
  const { beginEdit } = useContext(MessageEditingContext);
  return () => last && beginEdit(last.id, last.text, () => box.current);
}

function useFocusAsked(store: ChatStore, box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const subscription = store.onFocusAsked(() => box.current?.focus());
    return () => subscription.dispose();
  }, [store, box]);
}

export interface QueuedMessagesProps {
  readonly queue: readonly QueuedMessage[];
  readonly onEdit: (message: QueuedMessage) => void;
  readonly onRemove: (message: QueuedMessage) => void;
}

/** The messages that are sent when the answer is done, above the box they were typed in. */
function QueuedMessages({ queue, onEdit, onRemove }: QueuedMessagesProps): JSX.Element {
  return (
    <>
      <div class="screen-reader-only" role="status">
        {queue.length > 0 &&
          plural(
            queue.length,
            () => t('1 message is queued'),
            (count) => t('{0} messages are queued', count),
          )}
      </div>
      {queue.length > 0 && (
        <ul class="queue" aria-label={t('Queued messages')}>
          {queue.map((message) => (
            <Queued key={message.id} message={message} onEdit={onEdit} onRemove={onRemove} />
          ))}
        </ul>
      )}
    </>
  );
}

interface QueuedProps extends Pick<QueuedMessagesProps, 'onEdit' | 'onRemove'> {
  readonly message: QueuedMessage;
}

function Queued({ message, onEdit, onRemove }: QueuedProps): JSX.Element {
  const text = revealInContent(message.text);
  return (
    <li class="queued secondary" title={t('Sent when the answer is finished. Stop puts it back into the message box.')}>
      <Icon name="history" />
      <span class="queued-text">{t('Queued: {0}', text)}</span>
      <IconButton icon="edit" label={t('Edit queued message: {0}', text)} title={t('Edit')} onClick={() => onEdit(message)} />
      <IconButton icon="close" label={t('Remove queued message: {0}', text)} title={t('Remove')} onClick={() => onRemove(message)} />
    </li>
  );
}
