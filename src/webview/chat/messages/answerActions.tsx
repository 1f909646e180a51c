import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { AnswerFeedback } from '../../../contract/chat/messageActions.ts';
import type { AssistantItem } from '../../../contract/chat/chatState.ts';
import { Icon, IconButton } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import { useExpiring } from '../../shared/timers.ts';
import { MessageEditingContext, type ChatIntents } from '../chatIntents.ts';

/** The longest answer that can be copied; a message to the host carries no more. */
const maxCopiedLength = 1_000_000;

export interface AnswerActionsProps {
  readonly item: AssistantItem;
  readonly isLast: boolean;
  readonly intents: ChatIntents;
}

/**
 * The buttons below an answer: always there for the last answer, else while the pointer or the focus is on it. Their room is
 * kept, so that nothing moves.
 */
export function AnswerActions({ item, isLast, intents }: AnswerActionsProps): JSX.Element {
  const { isRunning } = useContext(MessageEditingContext);
  if (item.state === 'streaming') {
    return <div class="answer-actions" />;
  }
  const text = answerMarkdown(item);
  return (
    <div class={isLast ? 'answer-actions is-shown' : 'answer-actions'} role="group" aria-label={t('Actions on this answer')}>
      {text !== '' && text.length <= maxCopiedLength && <CopyAnswer text={text} intents={intents} />}
      {!(isLast && hasOwnRetry(item)) && (
        <IconButton
          icon="refresh"
          label={t('Retry')}
          aria-disabled={isRunning}
          title={isRunning ? t('Retry: when the answer that runs is finished') : t('Retry: a new answer, this one is kept')}
          onClick={() => !isRunning && intents.retry(item.id)}
        />
      )}
      <Rating item={item} value="up" label={t('Good answer')} intents={intents} />
      <Rating item={item} value="down" label={t('Bad answer')} intents={intents} />
    </div>
  );
}

/** Whether the note about how the answer ended already has a button for retrying, in words. */
function hasOwnRetry({ error }: AssistantItem): boolean {
  return error?.action === 'retry' || error?.action === 'continue';
}

function CopyAnswer({ text, intents }: { readonly text: string; readonly intents: ChatIntents }): JSX.Element {
  const [isCopied, markCopied] = useExpiring(1500);
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={t('Copy answer')}
      title={t('Copy answer (Markdown)')}
      onClick={() => {
        intents.copyCode(text);
        markCopied();
      }}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span class="screen-reader-only" role="status">
        {isCopied ? t('Copied') : ''}
      </span>
    </button>
  );
}

interface RatingProps extends Pick<AnswerActionsProps, 'item' | 'intents'> {
  readonly value: AnswerFeedback;
  readonly label: string;
}

function Rating({ item, value, label, intents }: RatingProps): JSX.Element {
  const isGiven = item.feedback === value;
  return (
    <IconButton
      icon={isGiven ? `thumbs${value}-filled` : `thumbs${value}`}
      label={label}
      aria-pressed={isGiven}
      title={t('{0}: kept with the conversation on this machine, sent to nobody', label)}
      onClick={() => intents.rate(item.id, isGiven ? undefined : value)}
    />
  );
}

/** The model's own words as Markdown; calls and their results are not its words. */
export function answerMarkdown({ parts }: AssistantItem): string {
  return parts
    .flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : []))
    .filter((text) => text !== '')
    .join('\n\n');
}
