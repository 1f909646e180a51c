import type { HTMLAttributes, JSX, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../../contract/chatState.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { ArgumentsForm } from './argumentsForm.tsx';
import { AttachmentChips } from './attachmentChips.tsx';
import type { ChatIntents } from './chatIntents.ts';
import type { ChatStore } from './chatStore.ts';
import { sendability } from './composerRules.ts';
import { MessageBox, putText } from './messageBox.tsx';
import { insertTrigger } from './suggestionTrigger.ts';
import { summariseTools } from './toolSummary.ts';
import { useSuggestions } from './useSuggestions.ts';
import { useTaking } from './useTaking.ts';

export interface ComposerProps {
  readonly state: ChatState | undefined;
  readonly draft: string;
  readonly store: ChatStore;
  readonly intents: ChatIntents;
  readonly lastMessage: string | undefined;
}

export function Composer({ state, draft, store, intents, lastMessage }: ComposerProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  useFocusAsked(store, box);
  const { canSend, problem } = sendability(state, draft);
  const isRunning = state?.isRunning === true;
  const [isHeldBack, holdBack] = useHeldBack(isRunning);
  const suggestions = useSuggestions(store, intents);
  const taking = useTaking(intents);
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
  const attach = (): void => {
    const text = box.current?.value ?? draft;
    const edited = insertTrigger(text, box.current?.selectionStart ?? text.length, '@');
    putText(box.current, store, edited);
    suggestions.look(edited.text, edited.caret);
  };
  const { form, attachments = [] } = state?.context ?? {};

  return (
    <div class="composer-frame" {...dropping(taking.take)}>
      {form !== undefined && <ArgumentsForm key={form.id} form={form} store={store} intents={intents} />}
      <div class={problem === undefined ? 'composer' : 'composer is-invalid'}>
        <AttachmentChips attachments={attachments} onRemove={(id) => intents.context.remove(id)} />
        <MessageBox
          {...{ box, draft, store, intents, suggestions, lastMessage }}
          isInvalid={problem !== undefined}
          onSend={send}
          onPaste={taking.take}
        />
        <ComposerBar isRunning={isRunning} canSend={canSend} onSend={send} onAttach={attach} intents={intents} />
      </div>
      <Problem text={problem} />
      <HeldBack isShown={isHeldBack} />
      <div class="held-back secondary" role="status">
        {taking.note}
      </div>
      {state !== undefined && <StatusLine state={state} />}
    </div>
  );
}

interface ComposerBarProps {
  readonly isRunning: boolean;
  readonly canSend: boolean;
  readonly onSend: () => void;
  readonly onAttach: () => void;
  readonly intents: ChatIntents;
}

function ComposerBar({ isRunning, canSend, onSend, onAttach, intents }: ComposerBarProps): JSX.Element {
  const round = isRunning
    ? { label: t('Stop'), title: t('Stop'), icon: 'debug-stop', style: ' is-stop', isDisabled: false, run: () => intents.stop() }
    : { label: t('Send'), title: t('Send (Enter)'), icon: 'arrow-up', style: '', isDisabled: !canSend, run: onSend };
  return (
    <div class="composer-bar">
      <button
        type="button"
        class="icon-button"
        aria-label={t('Attach')}
        title={t('Attach files, problems, resources… You can also paste an image, or drop files with Shift held down.')}
        onClick={onAttach}
      >
        <Icon name="attach" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Tools')}
        title={t('Tools: see what each server offers')}
        onClick={() => intents.showTools()}
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

function dropping(take: (data: DataTransfer | null) => boolean): HTMLAttributes<HTMLDivElement> {
  return {
    onDragOver: (event) => event.preventDefault(),
    onDrop: (event) => {
      if (take(event.dataTransfer)) {
        event.preventDefault();
      }
    },
  };
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

function StatusLine({ state }: { readonly state: ChatState }): JSX.Element {
  const { text, attention, tooltip } = summariseTools(state.tools);
  const provider = state.provider.kind === 'offline' ? t('Offline guide · not an AI') : state.provider.label;
  return (
    <div class="status-line secondary">
      <span class="status-provider" title={provider}>
        {provider}
      </span>
      <span class="status-tools" title={tooltip}>
        {text}
        {attention !== undefined && (
          <span class="attention">
            {' · '}
            <Icon name="warning" tone="warning" />
            {attention}
          </span>
        )}
      </span>
    </div>
  );
}
