import type { JSX } from 'preact';
import type { AuditBars } from '../../contract/auditMessages.ts';
import { t } from '../shared/localize.ts';

const width = 14;
const gap = 4;
const height = 48;

/** The calls of the last day, hour by hour, one colour for each who called. */
export function AuditBarsPicture({ bars }: { readonly bars: AuditBars }): JSX.Element | null {
  const totals = bars.hours.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0));
  const most = Math.max(...totals);
  const all = totals.reduce((sum, count) => sum + count, 0);
  if (all === 0) {
    return null;
  }
  return (
    <figure class="audit-bars">
      <svg
        role="img"
        aria-label={t('Calls of the last 24 hours: {0}', all)}
        viewBox={`0 0 ${bars.hours.length * (width + gap)} ${height}`}
        preserveAspectRatio="none"
      >
        {bars.hours.map(({ start, counts }, index) => (
          <g key={start}>
            <title>{`${new Date(start).toLocaleTimeString()}: ${totals[index] ?? 0}`}</title>
            <rect class="bar-ground" x={index * (width + gap)} y={height - 1} width={width} height={1} />
            {stacked(counts).map(({ from, count }, series) =>
              count === 0 ? null : (
                <rect
                  key={bars.names[series]}
                  class={`bar-${series}`}
                  x={index * (width + gap)}
                  y={height - ((from + count) / most) * height}
                  width={width}
                  height={Math.max(1, (count / most) * height)}
                />
              ),
            )}
          </g>
        ))}
      </svg>
      <figcaption class="secondary">
        <span>{t('Calls, by the hour, of the last 24 hours')}</span>
        {bars.names.map((name, series) => (
          <span key={name} class="bar-name">
            <span class={`bar-sign bar-sign-${series}`} aria-hidden="true" />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function stacked(counts: readonly number[]): readonly { readonly from: number; readonly count: number }[] {
  let from = 0;
  return counts.map((count) => {
    const place = { from, count };
    from += count;
    return place;
  });
}
