import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { CallToolQuestion } from '../../contract/questions.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { knownLines } from './knowledgeTexts.ts';

interface CallKnowledgeProps {
  readonly detail: CallToolQuestion;
  readonly hasChanged: boolean;
}

/** What Duplex itself knows about the call, apart from what the server says of it. */
export function CallKnowledge({ detail, hasChanged }: CallKnowledgeProps): JSX.Element {
  const id = useId();
  return (
    <div class="section">
      <div class="section-label" id={id}>
        {t('What Duplex knows')}
      </div>
      <ul class="known-lines" aria-labelledby={id}>
        {knownLines(detail, hasChanged).map(({ text, isWarning, quote }, index) => (
          <li key={index} class={isWarning ? 'is-warning' : ''}>
            <Icon name={isWarning ? 'warning' : 'circle-small-filled'} tone={isWarning ? 'warning' : 'quiet'} />
            <div>
              {text}
              {quote !== undefined && <q class="known-quote">{quote}</q>}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
