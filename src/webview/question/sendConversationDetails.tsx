import type { JSX } from 'preact';
import type { SendConversationQuestion } from '../../contract/questions/contentQuestions.ts';
import { formatBytes } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';

/** How much of what was said would go, and to whom. */
export function SendConversationDetails({ detail }: { readonly detail: SendConversationQuestion }): JSX.Element {
  const facts: readonly (readonly [string, string])[] = [
    [t('To'), wholeText(detail.destination)],
    [t('Messages'), detail.messages.toLocaleString('en')],
    [t('Images'), detail.images.toLocaleString('en')],
    [t('Size'), formatBytes(detail.bytes)],
  ];
  return (
    <dl class="facts" aria-label={t('What would be sent')}>
      {facts.map(([name, value]) => (
        <div class="fact" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
