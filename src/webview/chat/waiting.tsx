import type { JSX } from 'preact';
import type { WaitingPart } from '../../contract/chat/models.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import type { ChatIntents } from './chatIntents.ts';

/** The provider wants to be waited for: why, how long yet, and the way not to wait. */
export function Waiting({ part, intents }: { readonly part: WaitingPart; readonly intents: ChatIntents }): JSX.Element {
  return (
    <div class="waiting">
      <div class="note secondary">
        <Icon name="watch" />
        {/* Said once; the seconds are for the eyes. */}
        <span>
          {reasonOf(part)}{' '}
          <span class="waiting-seconds" aria-live="off" role="timer">
            {t('Trying again in {0} s.', part.seconds)}
          </span>
        </span>
      </div>
      <div class="button-row">
        <button type="button" class="button" onClick={() => intents.retryNow()}>
          {t('Retry now')}
        </button>
      </div>
    </div>
  );
}

function reasonOf({ reason }: WaitingPart): string {
  switch (reason) {
    case 'rateLimited':
      return t('The rate limit of the model provider is reached.');
    case 'overloaded':
      return t('The model provider is overloaded.');
    case 'serverError':
      return t('The model provider had an internal error.');
  }
}
