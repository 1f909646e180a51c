import type { JSX } from 'preact';
import type { ChatState } from '../../../contract/chat/chatState.ts';
import { Icon } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import type { ChatIntents } from '../chatIntents.ts';

export function EmptyState({ state, intents }: { readonly state: ChatState; readonly intents: ChatIntents }): JSX.Element {
  return (
    <div class="empty">
      <div class="empty-mark">
        <Icon name="arrow-swap" />
      </div>
      <div class="empty-title" role="heading" aria-level={2}>
        {t('Chat that works with your tools')}
      </div>
      <p class="secondary">
        {t('Ask a question, and let it use your MCP servers and this editor. Nothing runs before you have seen it and said yes.')}
      </p>
      {state.isFirstRun === true && <FirstRun state={state} intents={intents} />}
      {state.isFirstRun !== true && <Suggestions state={state} intents={intents} />}
      <div class="empty-links">
        <button type="button" class="link-button" onClick={() => intents.addServer()}>
          <Icon name="server" />
          {t('Add a server…')}
        </button>
      </div>
    </div>
  );
}

interface EmptyProps {
  readonly state: ChatState;
  readonly intents: ChatIntents;
}

/** What a new user sees while only the offline guide answers: one click to the first step of each way to a model. */
function FirstRun({ state, intents }: EmptyProps): JSX.Element {
  const [tour] = state.suggestions;
  const ways = [
    { icon: 'key', label: t('Add an Anthropic key'), hint: t('Claude, with your own API key'), run: () => intents.setApiKey() },
    { icon: 'vscode', label: t('Use VS Code’s models'), hint: t('GitHub Copilot and others'), run: () => intents.useVscodeModels() },
    {
      icon: 'server-environment',
      label: t('Use another endpoint'),
      hint: t('On this machine, or a gateway'),
      run: () => intents.useEndpoint(),
    },
    ...(tour === undefined
      ? []
      : [
          {
            icon: 'book',
            label: t('Try it offline'),
            hint: t('A guide, not an AI: no key, no network'),
            run: () => intents.send(tour.text),
          },
        ]),
  ];
  return (
    <div class="suggestions" role="group" aria-label={t('Choose who answers')}>
      {ways.map(({ icon, label, hint, run }, index) => (
        <button key={icon} type="button" class={index === 0 ? 'way is-first' : 'way'} aria-label={label} title={hint} onClick={run}>
          <Icon name={icon} />
          <span class="way-texts">
            <span>{label}</span>
            <span class="way-hint">{hint}</span>
          </span>
        </button>
      ))}
    </div>
  );
}

function Suggestions({ state, intents }: EmptyProps): JSX.Element | null {
  return state.suggestions.length === 0 ? null : (
    <div class="suggestions" role="group" aria-label={t('Suggestions')}>
      {state.suggestions.slice(0, 3).map(({ id, label, text }) => (
        <button key={id} type="button" class="suggestion" title={text} onClick={() => intents.send(text)}>
          <span>{label}</span>
          <Icon name="arrow-right" />
        </button>
      ))}
    </div>
  );
}
