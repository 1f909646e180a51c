import type { JSX, RefObject, TargetedKeyboardEvent } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { PickableTool } from '../../contract/chat/toolChoice.ts';
import type { ChatState, UserItem } from '../../contract/chatState.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { ActingContext } from './acting.ts';
import type { ChatIntents } from './chatIntents.ts';
import type { ChatStore } from './chatStore.ts';
import { LazyComposerPanel } from './lazyComposerPanel.tsx';
import { composerPanelId, useComposerPanel, type OpenPanel } from './useComposerPanel.ts';
import { ContextMeter } from './contextMeter.tsx';
import { ComposerFoot } from './composerFoot.tsx';
import { ModelChoice } from './modelChoice.tsx';
import { decideKey, sendability } from './composerRules.ts';
import { QueuedMessages } from './queuedMessages.tsx';

/** The id of the text box, where the focus goes when it has nowhere better to go. */
export const messageId = 'message';

export interface ComposerProps {
  readonly state: ChatState | undefined;
  readonly draft: string;
  readonly tools: readonly PickableTool[] | undefined;
  readonly store: ChatStore;
  readonly intents: ChatIntents;
  readonly lastMessage: UserItem | undefined;
}

export function Composer({ state, draft, tools, store, intents, lastMessage }: ComposerProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  const panel = useFocusedPanel(store, box);
  const { canSend, problem } = sendability(state, draft);
  const isRunning = state?.isRunning === true;
  const send = (): void => {
    // From the store, not from the last drawing: keys may come faster than frames.
    const now = store.view;
    if (sendability(now.state, now.draft).canSend) {
      intents.send(now.draft);
      store.setDraft('');
    }
    box.current?.focus();
  };
  const editLast = useEditLast(lastMessage, box);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    const action = decideKey(event, event.currentTarget.value, lastMessage?.text);
    if (action !== 'none') {
      event.preventDefault();
      (action === 'send' ? send : editLast)();
    }
  };
  return (
    <div class="composer-frame">
      <LazyComposerPanel panel={panel} state={state} tools={tools} onServers={() => intents.showTools()} />
      <Queue state={state} store={store} intents={intents} />
      <div class={problem === undefined ? 'composer' : 'composer is-invalid'}>
        <textarea
          ref={box}
          id={messageId}
          class="composer-text"
          rows={1}
          aria-label={t('Message')}
          placeholder={t('Ask, or run a tool')}
          value={draft}
          aria-invalid={problem !== undefined}
          aria-describedby="message-problem"
          onInput={(event) => store.setDraft(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <ComposerBar isRunning={isRunning} canSend={canSend} onSend={send} intents={intents} panel={panel} />
      </div>
      <Problem text={problem} />
      <Foot state={state} intents={intents} panel={panel} />
    </div>
  );
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
  readonly intents: ChatIntents;
  readonly panel: OpenPanel;
}

function ComposerBar({ isRunning, canSend, onSend, intents, panel }: ComposerBarProps): JSX.Element {
  const round = isRunning
    ? { label: t('Stop'), title: t('Stop'), icon: 'debug-stop', style: ' is-stop', isDisabled: false, run: () => intents.stop() }
    : { label: t('Send'), title: t('Send (Enter)'), icon: 'arrow-up', style: '', isDisabled: !canSend, run: onSend };
  return (
    <div class="composer-bar">
      <button
        type="button"
        class="icon-button"
        aria-label={t('Attach')}
        aria-disabled="true"
        title={t('Attach: files and resources cannot be attached yet')}
      >
        <Icon name="attach" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Tools')}
        title={t('Tools: choose what the model is offered')}
        aria-expanded={panel.name === 'tools'}
        aria-controls={composerPanelId}
        onClick={() => panel.toggle('tools')}
      >
        <Icon name="tools" />
      </button>
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

function Problem({ text }: { readonly text: string | undefined }): JSX.Element {
  return (
    <div id="message-problem" class="field-problem" aria-live="polite">
      {text !== undefined && (
        <>
          <Icon name="error" tone="error" />
          {text}
        </>
      )}
    </div>
  );
}

function Queue({ state, store, intents }: Pick<ComposerProps, 'state' | 'store' | 'intents'>): JSX.Element {
  const queue = state?.isRunning === true ? (state.queue ?? []) : [];
  return <QueuedMessages queue={queue} onEdit={(message) => store.takeBack([message])} onRemove={({ id }) => intents.unqueue([id])} />;
}

/** The text box has the focus when it is asked for, and when a panel closes. */
function useFocusedPanel(store: ChatStore, box: RefObject<HTMLElement | null>): OpenPanel {
  useFocusAsked(store, box);
  return useComposerPanel(() => box.current?.focus());
}

function useEditLast(last: ComposerProps['lastMessage'], box: RefObject<HTMLElement | null>): () => void {
  const { beginEdit } = useContext(ActingContext);
  return () => last && beginEdit(last.id, last.text, () => box.current);
}

function useFocusAsked(store: ChatStore, box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const subscription = store.onFocusAsked(() => box.current?.focus());
    return () => subscription.dispose();
  }, [store, box]);
}
