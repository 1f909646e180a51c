import type { JSX } from 'preact';
import type { Difference } from '../../contract/questions.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { differenceSegments, type Segment } from './differenceSegments.ts';

export function Differences({ differences }: { readonly differences: readonly Difference[] }): JSX.Element {
  return (
    <dl class="facts differences" aria-label={t('What changed')}>
      {differences.map(({ field, before, after, isHidden = false }, index) => (
        <div class="fact" key={index}>
          <dt>{wholeText(field)}</dt>
          <dd>
            {isHidden
              ? t('(another one than before; not shown, because it may be a secret)')
              : differenceSegments(whole(before), whole(after)).map(drawSegment)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function whole(text: string | undefined): string | undefined {
  return text === undefined ? undefined : wholeText(text);
}

function drawSegment({ kind, text }: Segment, index: number): JSX.Element {
  switch (kind) {
    case 'removed':
      return (
        <del key={index}>
          <span class="screen-reader-only">{t('removed:')} </span>
          {text}
        </del>
      );
    case 'added':
      return (
        <ins key={index}>
          <span class="screen-reader-only">{t('added:')} </span>
          {text}
        </ins>
      );
    case 'same':
      return <span key={index}>{text}</span>;
  }
}
