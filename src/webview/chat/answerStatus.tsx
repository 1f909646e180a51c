import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AssistantItem, ChatItem } from '../../contract/chatState.ts';
import { t } from '../shared/localize.ts';

/** One sentence when an answer that began on this page has ended, for people who cannot see it end. */
export function AnswerStatus({ items }: { readonly items: readonly ChatItem[] }): JSX.Element {
  const last = items.at(-1);
  const answer = last?.kind === 'assistant' ? last : undefined;
  const streamed = useRef<string | undefined>(undefined);
  const [text, setText] = useState('');
  useEffect(() => {
    if (answer?.state === 'streaming') {
      streamed.current = answer.id;
      setText('');
    } else if (answer !== undefined && streamed.current === answer.id) {
      streamed.current = undefined;
      setText(endOf(answer));
    }
  }, [answer]);
  return (
    <div class="screen-reader-only" role="status" aria-label={t('Answer')}>
      {text}
    </div>
  );
}

function endOf({ state, error }: AssistantItem): string {
  if (error?.action === 'continue') {
    return t('The answer has paused.');
  }
  if (state === 'failed') {
    return t('The answer has failed.');
  }
  return state === 'stopped' ? t('The answer was stopped.') : t('The answer is finished.');
}
