import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import type { KnownLine } from './knowledgeTexts.ts';

/** What Duplex itself knows about the call, apart from what the server says of it. */
export function KnownLines({ lines }: { readonly lines: readonly KnownLine[] }): JSX.Element | null {
  const id = useId();
  if (lines.length === 0) {
    return null;
  }
  return (
    <div class="section">
      <div class="section-label" id={id}>
        {t('What Duplex knows')}
      </div>
      <ul class="known-lines" aria-labelledby={id}>
        {lines.map(({ text, isWarning, quote }, index) => (
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
