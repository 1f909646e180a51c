import type { JSX, RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PickableTool } from '../../contract/chat/toolChoice.ts';
import type { ChatState } from '../../contract/chatState.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import type { ChatIntents } from './chatIntents.ts';
import type { ChatStore } from './chatStore.ts';
import { LazyComposerPanel } from './lazyComposerPanel.tsx';
import { composerPanelId, useComposerPanel, type OpenPanel } from './useComposerPanel.ts';
import { ContextMeter } from './contextMeter.tsx';
import { ComposerFoot } from './composerFoot.tsx';
import { ModelChoice } from './modelChoice.tsx';
import { decideKey, sendability } from './composerRules.ts';

/** The id of the text box, where the focus goes when it has nowhere better to go. */
export const messageId = 'message';

export interface ComposerProps {
  readonly state: ChatState | undefined;
  readonly draft: string;
  readonly tools: readonly PickableTool[] | undefined;
  readonly store: ChatStore;
  readonly intents: ChatIntents;
  readonly lastMessage: string | undefined;
}

export function Composer({ state, draft, tools, store, intents, lastMessage }: ComposerProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  useFocusAsked(store, box);
  const { canSend, problem } = sendability(state, draft);
  const isRunning = state?.isRunning === true;
  const [isHeldBack, holdBack] = useHeldBack(isRunning);
  const send = (): void => {
    // From the store, not from the last drawing: keys may come faster than frames.
    const now = store.view;
    if (sendability(now.state, now.draft).canSend) {
      intents.send(now.draft);
      store.setDraft('');
    } else if (now.state?.isRunning === true && now.draft.trim() !== '') {
      holdBack();
    }
    box.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    const action = decideKey(event, event.currentTarget.value, lastMessage);
    if (action !== 'none') {
      event.preventDefault();
      (action === 'send' ? send : () => store.setDraft(lastMessage ?? ''))();
    }
  };

  const panel = useComposerPanel(() => box.current?.focus());

  return (
    <div class="composer-frame">
      <LazyComposerPanel panel={panel} state={state} tools={tools} onServers={() => intents.showTools()} />
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
      <HeldBack isShown={isHeldBack} />
      <Foot state={state} intents={intents} panel={panel} />
    </div>
  );
}

function Foot({ state, intents, panel }: Pick<ComposerProps, 'state' | 'intents'> & { readonly panel: OpenPanel }): JSX.Element | null {
  if (state === undefined) {
    return null;
  }
  const context = state.context === undefined ? undefined : <ContextMeter budget={state.context} panel={panel} />;
  const model = <ModelChoice state={state} intents={intents} />;
  return <ComposerFoot state={state} intents={intents} model={model} context={context} />;
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

function useFocusAsked(store: ChatStore, box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const subscription = store.onFocusAsked(() => box.current?.focus());
    return () => subscription.dispose();
  }, [store, box]);
}

/** From Enter until the answer ends. */
function useHeldBack(isRunning: boolean): readonly [isHeldBack: boolean, holdBack: () => void] {
  const [isHeldBack, setHeldBack] = useState(false);
  useEffect(() => setHeldBack(false), [isRunning]);
  return [isRunning && isHeldBack, () => setHeldBack(true)];
}

/** Enter while an answer runs sends nothing, and says so. */
function HeldBack({ isShown }: { readonly isShown: boolean }): JSX.Element {
  return (
    <div class="held-back secondary" role="status">
      {isShown && (
        <>
          <Icon name="info" />
          <span>{t('An answer is under way. Your message is kept: send it when the answer is finished, or press Escape to stop it.')}</span>
        </>
      )}
    </div>
  );
}
