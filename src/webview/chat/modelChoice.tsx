import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ChatState } from '../../contract/chatState.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import type { ChatIntents } from './chatIntents.ts';

/** Who answers, at the foot of the composer; opens the choice. */
export function ModelChoice({ state, intents }: { readonly state: ChatState; readonly intents: ChatIntents }): JSX.Element {
  const id = useId();
  const name = state.provider.kind === 'offline' ? t('Offline guide · not an AI') : state.provider.label;
  return (
    <button
      type="button"
      class="status-button status-provider"
      aria-label={t('Model')}
      aria-describedby={id}
      aria-haspopup="listbox"
      title={t('Choose who answers: {0}', name)}
      onClick={() => intents.chooseModel()}
    >
      <span id={id} class="status-name">
        {name}
      </span>
      <Icon name="chevron-down" />
    </button>
  );
}
