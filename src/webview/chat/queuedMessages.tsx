import type { JSX } from 'preact';
import { revealInContent } from '../../base/visibleText.ts';
import type { QueuedMessage } from '../../contract/chat/acting.ts';
import { plural } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';

export interface QueuedMessagesProps {
  readonly queue: readonly QueuedMessage[];
  readonly onEdit: (message: QueuedMessage) => void;
  readonly onRemove: (message: QueuedMessage) => void;
}

/** What is sent when the answer is done, above the box it was typed in. */
export function QueuedMessages({ queue, onEdit, onRemove }: QueuedMessagesProps): JSX.Element {
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
      <button
        type="button"
        class="icon-button"
        aria-label={t('Edit queued message: {0}', text)}
        title={t('Edit')}
        onClick={() => onEdit(message)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('Remove queued message: {0}', text)}
        title={t('Remove')}
        onClick={() => onRemove(message)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
