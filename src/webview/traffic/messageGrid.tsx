import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TrafficRow } from '../../contract/pages/trafficMessages.ts';
import { Icon } from '../shared/elements.tsx';
import { formatBytes, formatElapsed } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { clockTime, directionWord, peerName, rowHeight, durationShare, exchangeStateWord } from './trafficState.ts';

export interface MessageGridProps {
  readonly rows: readonly TrafficRow[];
  readonly selected: number | undefined;
  readonly onSelect: (number: number | undefined) => void;
  /** The element of the grid, for whoever gives it the focus back. */
  readonly grid: RefObject<HTMLDivElement | null>;
}

const spareRows = 12;
const signs = {
  waiting: { name: 'circle-outline', tone: 'quiet' },
  answered: { name: 'pass', tone: 'good' },
  failed: { name: 'error', tone: 'error' },
  plain: { name: 'bell', tone: 'quiet' },
} as const;

/** The grid of all rows, of which only those in view are drawn. */
export function MessageGrid({ rows, selected, onSelect, grid }: MessageGridProps): JSX.Element {
  const { view, onScroll } = useView(grid, rows);
  const from = Math.max(0, Math.floor(view.top / rowHeight) - spareRows);
  const to = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + spareRows);
  const at = rows.findIndex(({ number }) => number === selected);
  const longest = rows.reduce((most, { durationMs = 0 }) => Math.max(most, durationMs), 0);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextIndex(event.key, at, rows.length, Math.max(1, Math.floor(view.height / rowHeight) - 2));
    if (event.key === 'Escape') {
      onSelect(undefined);
    } else if (event.key === 'Enter' && at >= 0) {
      onSelect(selected); // whose details were closed
    } else if (next !== undefined) {
      event.preventDefault();
      reveal(grid.current, next);
      onSelect(rows[next]?.number);
    }
  };
  return (
    <div
      ref={grid}
      class="traffic-grid"
      role="grid"
      aria-label={t('Messages')}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={at >= from && at < to ? `message-${selected}` : undefined}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <Head />
      <div role="rowgroup" style={{ paddingTop: `${from * rowHeight}px`, paddingBottom: `${(rows.length - to) * rowHeight}px` }}>
        {rows.slice(from, to).map((row, index) => (
          <Row
            key={row.number}
            row={row}
            index={from + index}
            longest={longest}
            isSelected={row.number === selected}
            onSelect={() => onSelect(row.number)}
          />
        ))}
      </div>
    </div>
  );
}

/** Which part of the rows is in view. */
function useView(
  grid: RefObject<HTMLDivElement | null>,
  rows: readonly TrafficRow[],
): { readonly view: View; readonly onScroll: () => void } {
  const [view, setView] = useState<View>({ top: 0, height: 400 });
  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0 } = grid.current ?? {};
    setView((was) => (was.top === scrollTop && was.height === clientHeight ? was : { top: scrollTop, height: clientHeight }));
  };
  const onScroll = useFollowing(grid, rows, look);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    if (grid.current !== null) {
      observer.observe(grid.current);
    }
    return () => observer.disconnect();
  }, []);
  return { view, onScroll };
}

interface View {
  readonly top: number;
  readonly height: number;
}

function Head(): JSX.Element {
  return (
    <div role="row" aria-rowindex={1} class="traffic-row is-head">
      <span role="columnheader">{t('Time')}</span>
      <span role="columnheader">{t('Server or client')}</span>
      <span role="columnheader">{t('Message')}</span>
      <span role="columnheader" class="is-number">
        {t('Size')}
      </span>
      <span role="columnheader" class="is-number">
        {t('Duration')}
      </span>
    </div>
  );
}

interface RowProps {
  readonly row: TrafficRow;
  readonly index: number;
  readonly longest: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Row({ row, index, longest, isSelected, onSelect }: RowProps): JSX.Element {
  const { durationMs } = row;
  return (
    <div
      role="row"
      id={`message-${row.number}`}
      class={`traffic-row is-${row.state}`}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      onClick={onSelect}
    >
      <span role="gridcell">{clockTime(row.time)}</span>
      <span role="gridcell" title={peerName(row)}>
        <Icon name={row.side === 'server' ? 'server' : 'plug'} tone="quiet" />
        {peerName(row)}
      </span>
      <span role="gridcell" title={`${row.method} ${row.subject}`}>
        <Icon name={row.direction === 'sent' ? 'arrow-right' : 'arrow-left'} tone="quiet" />
        <span class="screen-reader-only">{`${directionWord(row.direction)}, ${exchangeStateWord(row)}: `}</span>
        <Icon {...signs[row.state]} />
        <span class="traffic-method">{row.method === '' ? exchangeStateWord(row) : row.method}</span>
        {row.subject !== '' && <span class="secondary">{row.subject}</span>}
        {row.isCut && <span class="secondary">{t('(not kept whole)')}</span>}
      </span>
      <span role="gridcell" class="is-number">
        {row.isSizeLeast ? `≥ ${formatBytes(row.size)}` : formatBytes(row.size)}
      </span>
      <span role="gridcell" class="is-number traffic-duration">
        {durationMs !== undefined && (
          <>
            <span class="duration-bar" aria-hidden="true">
              <span style={{ width: `${durationShare(durationMs, longest) * 100}%` }} />
            </span>
            {formatElapsed(durationMs)}
          </>
        )}
      </span>
    </div>
  );
}

function nextIndex(key: string, at: number, count: number, page: number): number | undefined {
  const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? count - 1 : at - 1, Home: 0, End: count - 1, PageDown: at + page, PageUp: at - page }[
    key
  ];
  return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, to));
}

function reveal(grid: HTMLElement | null, index: number): void {
  if (grid === null) {
    return;
  }
  // The row has to be below the head, which stays in place.
  const [above, below] = [index * rowHeight, (index + 2) * rowHeight - grid.clientHeight];
  grid.scrollTop = Math.min(above, Math.max(below, grid.scrollTop));
}

/**
 * Keeps the view in place when rows come or go: whoever looks at the end sees new rows, and whoever looks at another row keeps it
 * in view.
 */
function useFollowing(grid: RefObject<HTMLElement | null>, rows: readonly TrafficRow[], onMoved: () => void): () => void {
  const place = useRef<{ readonly anchor: number | undefined; readonly offset: number; readonly isAtEnd: boolean }>({
    anchor: undefined,
    offset: 0,
    isAtEnd: true,
  });
  useLayoutEffect(() => {
    const { current } = grid;
    if (current === null) {
      return;
    }
    const { anchor, offset, isAtEnd } = place.current;
    const index = rows.findIndex(({ number }) => number === anchor);
    if (isAtEnd) {
      current.scrollTop = current.scrollHeight;
    } else if (index >= 0) {
      current.scrollTop = index * rowHeight + offset;
    }
    onMoved();
  }, [rows]);
  return () => {
    const { current } = grid;
    if (current !== null) {
      const { scrollTop, clientHeight, scrollHeight } = current;
      const index = Math.floor(scrollTop / rowHeight);
      place.current = {
        anchor: rows[index]?.number,
        offset: scrollTop - index * rowHeight,
        isAtEnd: scrollTop + clientHeight >= scrollHeight - rowHeight / 2,
      };
      onMoved();
    }
  };
}
