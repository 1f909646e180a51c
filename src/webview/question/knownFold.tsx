import type { JSX } from 'preact';
import { Disclosure, Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import type { Known } from './details/knowledgeTexts.ts';
import { endMark } from './reading.tsx';

/**
 * What Duplex itself knows, apart from what the server says: one line that tells the worst of it, and the rest behind it. A finding opens
 * it and must be seen; the sentences that follow it need not.
 */
export function KnownFold({ known }: { readonly known: Known }): JSX.Element | null {
  const { lines, worst, isFinding } = known;
  if (lines.length === 0) {
    return null;
  }
  const lastFinding = isFinding ? lines.findLastIndex(({ isWarning }) => isWarning) : -1;
  const inside = (
    <span class={worst.isWarning ? 'known-worst is-warning' : 'known-worst'}>
      {worst.isWarning && (
        <span class="tone-warning" aria-hidden="true">
          ▲{' '}
        </span>
      )}
      {worst.text}
    </span>
  );
  return (
    <div class="known-fold" role="group" aria-label={t('What Duplex knows')}>
      <Disclosure label={t('What Duplex knows')} inside={inside} isOpenAtFirst={isFinding}>
        <ul class="known-lines" aria-label={t('What Duplex knows')}>
          {lines.map(({ text, isWarning, quote }, index) => (
            <li key={index} class={isWarning ? 'is-warning' : ''}>
              <Icon name={isWarning ? 'warning' : 'circle-small-filled'} tone={isWarning ? 'warning' : 'quiet'} />
              <div>
                {text}
                {quote !== undefined && <q class="known-quote">{quote}</q>}
              </div>
              {index === lastFinding && <div {...endMark} />}
            </li>
          ))}
        </ul>
      </Disclosure>
    </div>
  );
}
