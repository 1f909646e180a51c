import type { JSX } from 'preact';
import { plural } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import type { ConversationIntents } from './conversationIntents.ts';

/** Said above a conversation whose beginning is gone. */
export function LeftOut({ count }: { readonly count: number }): JSX.Element | null {
  if (count === 0) {
    return null;
  }
  return (
    <div class="note secondary left-out">
      <Icon name="info" />
      <span>
        {plural(
          count,
          () => t('The oldest message is no longer kept: the conversation is too large.'),
          (many) => t('The {0} oldest messages are no longer kept: the conversation is too large.', many),
        )}
      </span>
    </div>
  );
}

/** Said above the composer, which sends nothing as long as this is there. */
export function AnsweredElsewhere({ isShown, intents }: { readonly isShown: boolean; readonly intents: ConversationIntents }): JSX.Element {
  return (
    <div class="elsewhere" role="status">
      {isShown && (
        <>
          <Icon name="multiple-windows" />
          <span>{t('Another window is answering in this conversation. Here it can be read.')}</span>
          <button type="button" class="button is-secondary" onClick={() => intents.openCopy()}>
            {t('Open a copy')}
          </button>
        </>
      )}
    </div>
  );
}
