import type { JSX } from 'preact';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import type { ChatIntents } from './chatIntents.ts';

/** An answer whose window went away in the middle: what was there is kept, and it can go on from there. */
export function Interrupted({ canAct, intents }: { readonly canAct: boolean; readonly intents: ChatIntents }): JSX.Element {
  return (
    <div class="pause-note">
      <div class="note secondary">
        <Icon name="debug-disconnect" />
        <span>{t('This answer was interrupted: its window was closed or reloaded.')}</span>
      </div>
      {canAct && (
        <div class="button-row">
          <button type="button" class="button is-primary" onClick={() => intents.retry()}>
            {t('Continue')}
          </button>
        </div>
      )}
    </div>
  );
}
