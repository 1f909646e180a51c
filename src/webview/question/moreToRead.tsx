import type { JSX } from 'preact';
import { plural } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import type { Reading } from './useReading.ts';

interface MoreToReadProps {
  readonly id: string;
  readonly reading: Reading;
  /** What else keeps Allow from being armed once all was seen. */
  readonly problem?: string | undefined;
  readonly onGoOn: () => void;
}

/** Says how much of the card has not been in view yet, and leads there. It stays when all was seen, so that nothing jumps. */
export function MoreToRead({ id, reading, problem, onGoOn }: MoreToReadProps): JSX.Element | null {
  if (reading.kind === 'whole' && problem !== undefined) {
    return (
      <div id={id} class="more-to-read" data-covers="">
        <Icon name="error" tone="error" />
        {problem}
      </div>
    );
  }
  if (reading.kind === 'begins' || (reading.kind === 'whole' && !reading.hadMore)) {
    return null;
  }
  return (
    <button type="button" id={id} class="more-to-read" data-covers="" aria-disabled={reading.kind === 'whole'} onClick={onGoOn}>
      <Icon name={reading.kind === 'whole' ? 'check' : reading.where === 'below' ? 'arrow-down' : 'arrow-up'} />
      {wordsOf(reading)}
    </button>
  );
}

function wordsOf(reading: Exclude<Reading, { kind: 'begins' }>): string {
  if (reading.kind === 'whole') {
    return t('All that is unfolded was in view');
  }
  if (reading.where === 'above') {
    return t('Lines further up are still to see');
  }
  return plural(
    reading.lines,
    () => t('1 more line to see first'),
    (count) => t('{0} more lines to see first', count),
  );
}
