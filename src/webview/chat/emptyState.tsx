import type { JSX } from 'preact';
import type { ChatState } from '../../contract/chatState.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import type { ChatIntents } from './chatIntents.ts';

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
      {state.suggestions.length > 0 && (
        <div class="suggestions" role="group" aria-label={t('Suggestions')}>
          {state.suggestions.slice(0, 3).map(({ id, label, text }) => (
            <button key={id} type="button" class="suggestion" title={text} onClick={() => intents.send(text)}>
              <span>{label}</span>
              <Icon name="arrow-right" />
            </button>
          ))}
        </div>
      )}
      <div class="empty-links">
        {state.provider.kind !== 'anthropic' && (
          <button type="button" class="link-button" onClick={() => intents.setApiKey()}>
            <Icon name="key" />
            {t('Set API key…')}
          </button>
        )}
        <button type="button" class="link-button" onClick={() => intents.addServer()}>
          <Icon name="server" />
          {t('Add a server…')}
        </button>
      </div>
    </div>
  );
}
