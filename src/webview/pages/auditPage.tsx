import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isJsonObject } from '../../base/json.ts';
import type { AuditBars, AuditFilter, AuditPage, AuditRow, auditToHost, auditToView } from '../../contract/pages/auditMessages.ts';
import { Icon, WholeNames } from '../shared/elements.tsx';
import { dateLocale, formatElapsed } from '../shared/formats.ts';
import { openHostLink } from '../shared/hostLink.ts';
import { t } from '../shared/localize.ts';
import { startPage } from '../shared/page.tsx';

export interface AuditAppProps {
  /** What is shown of the log; undefined until the host has answered `ready`. */
  readonly page: AuditPage | undefined;
  /** The filter that the page begins with. */
  readonly firstFilter: AuditFilter;
  readonly onShow: (filter: AuditFilter, count: number) => void;
  readonly onRefresh: () => void;
}

const pageSize = 200;
/** The most rows that the page asks for. */
const maxRows = 2_000;
const signs = {
  good: { name: 'pass', tone: 'good' },
  unknown: { name: 'question', tone: 'warning' },
  broken: { name: 'error', tone: 'error' },
} as const;
const outcomes = ['', 'started', 'waiting', 'allowed', 'denied', 'succeeded', 'failed', 'cancelled'] as const;
const hours = [0, 1, 24, 168] as const;

/** Reads the filter that the page stored before, as far as it is one. */
function readFilter(stored: unknown): AuditFilter {
  const read = isJsonObject(stored) ? stored : {};
  const textOf = (name: 'who' | 'server' | 'what'): string => (typeof read[name] === 'string' ? read[name].slice(0, 200) : '');
  return {
    who: textOf('who'),
    server: textOf('server'),
    what: textOf('what'),
    outcome: outcomes.find((each) => each === read['outcome']) ?? '',
    hours: hours.find((each) => each === read['hours']) ?? 0,
  };
}

function AuditApp({ page, firstFilter, onShow, onRefresh }: AuditAppProps): JSX.Element {
  const [filter, setFilter] = useState(firstFilter);
  const [count, setCount] = useState(pageSize);
  const show = (changed: AuditFilter, rows: number): void => {
    setFilter(changed);
    setCount(rows);
    onShow(changed, rows);
  };
  return (
    <main class="table-page">
      <header class="table-head">
        <h1>{t('Audit Log')}</h1>
        <button type="button" class="button is-secondary" onClick={onRefresh}>
          {t('Refresh')}
        </button>
      </header>
      <p role="status" class="audit-status">
        {page !== undefined && <Icon {...signs[page.status.kind]} />}
        <span>{page?.status.text ?? t('Reading…')}</span>
      </p>
      {page !== undefined && (
        <>
          <AuditBarsPicture bars={page.bars} />
          <Filters filter={filter} onChange={(changed) => show(changed, pageSize)} />
          <p class="secondary">{summaryOf(page)}</p>
          <AuditTable rows={page.rows} />
          {page.rows.length < page.matching && count < maxRows && (
            <button type="button" class="button is-secondary" onClick={() => show(filter, Math.min(maxRows, count + pageSize))}>
              {t('Show more')}
            </button>
          )}
        </>
      )}
    </main>
  );
}

function summaryOf({ rows, matching, total }: AuditPage): string {
  return matching === total
    ? t('The latest {0} of {1} lines', rows.length, total)
    : t('{0} of {1} lines that match, of {2}', rows.length, matching, total);
}

interface FiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

function TextFilter({ name, label, filter, onChange }: FiltersProps & { name: 'who' | 'server' | 'what'; label: string }): JSX.Element {
  return (
    <label>
      {label}
      <input
        type="search"
        class="input"
        value={filter[name]}
        maxLength={200}
        onInput={(event) => onChange({ ...filter, [name]: event.currentTarget.value })}
      />
    </label>
  );
}

function Filters({ filter, onChange }: FiltersProps): JSX.Element {
  const common = { filter, onChange };
  return (
    <div class="table-filters" role="search" aria-label={t('Filter the audit log')}>
      <TextFilter name="who" label={t('Who')} {...common} />
      <TextFilter name="server" label={t('Server')} {...common} />
      <TextFilter name="what" label={t('What')} {...common} />
      <label>
        {t('Outcome')}
        <select
          class="input"
          value={filter.outcome}
          onChange={(event) => onChange({ ...filter, outcome: event.currentTarget.value as AuditFilter['outcome'] })}
        >
          {outcomes.map((outcome) => (
            <option key={outcome} value={outcome}>
              {outcome === '' ? t('All') : outcomeWord(outcome)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('Time')}
        <select
          class="input"
          value={String(filter.hours)}
          onChange={(event) => onChange({ ...filter, hours: Number(event.currentTarget.value) as AuditFilter['hours'] })}
        >
          <option value="0">{t('All')}</option>
          <option value="1">{t('The last hour')}</option>
          <option value="24">{t('The last day')}</option>
          <option value="168">{t('The last week')}</option>
        </select>
      </label>
    </div>
  );
}

const width = 14;
const gap = 4;
const height = 48;

/** Draws the calls of the last day as bars, hour by hour, with one colour for each caller. */
function AuditBarsPicture({ bars }: { readonly bars: AuditBars }): JSX.Element | null {
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
            <title>{`${new Date(start).toLocaleTimeString(dateLocale())}: ${totals[index] ?? 0}`}</title>
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

function AuditTable({ rows }: { readonly rows: readonly AuditRow[] }): JSX.Element {
  const [open, setOpen] = useState<string | undefined>(undefined);
  return (
    <table aria-label={t('Audit log')} class="wide-table">
      <thead>
        <tr>
          <th scope="col">{t('Time')}</th>
          <th scope="col">{t('Who')}</th>
          <th scope="col">{t('Server or client')}</th>
          <th scope="col">{t('What')}</th>
          <th scope="col">{t('Outcome')}</th>
          <th scope="col">{t('Decided by')}</th>
          <th scope="col">{t('Took')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.place} row={row} isOpen={row.place === open} onToggle={() => setOpen(row.place === open ? undefined : row.place)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, isOpen, onToggle }: { readonly row: AuditRow; readonly isOpen: boolean; readonly onToggle: () => void }): JSX.Element {
  const time = new Date(row.time).toLocaleString(dateLocale());
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            class="audit-time"
            aria-expanded={isOpen}
            aria-description={t('Details of {0}', row.place)}
            onClick={onToggle}
          >
            {time}
          </button>
        </td>
        <td>
          <WholeNames text={row.who} />
        </td>
        <td class="is-any-length">{row.peer}</td>
        <td class="is-any-length">{row.what}</td>
        <td class={`outcome-${row.outcome}`}>{outcomeWord(row.outcome)}</td>
        <td>{deciderWord(row.decidedBy)}</td>
        <td class="audit-number">{row.durationMs === 0 ? '' : formatElapsed(row.durationMs)}</td>
      </tr>
      {isOpen && (
        <tr class="audit-details">
          <td colSpan={7}>
            <p class="secondary">{row.place}</p>
            <pre>{row.whole}</pre>
          </td>
        </tr>
      )}
    </>
  );
}

function outcomeWord(outcome: AuditRow['outcome']): string {
  switch (outcome) {
    case 'started':
      return t('Started');
    case 'waiting':
      return t('Waiting');
    case 'allowed':
      return t('Allowed');
    case 'denied':
      return t('Denied');
    case 'succeeded':
      return t('Succeeded');
    case 'failed':
      return t('Failed');
    case 'cancelled':
      return t('Cancelled');
  }
}

function deciderWord(decider: AuditRow['decidedBy']): string {
  switch (decider) {
    case 'person':
      return t('You');
    case 'remembered':
      return t('An earlier answer');
    case 'role':
      return t('The role');
    case 'policy':
      return t('The policy');
    case 'nobody':
      return '';
  }
}

const link = openHostLink<typeof auditToHost, typeof auditToView>();
// VS Code loads the page anew each time it is shown again, but the host still has the filter of before.
const firstFilter = readFilter(link.readStored());
const show = (filter: AuditFilter, count: number): void => {
  link.store(filter);
  link.send('audit/show', { filter, count });
};
startPage(
  link,
  () => {
    link.send('ready', {});
    show(firstFilter, pageSize);
  },
  (message) => <AuditApp page={message?.body} firstFilter={firstFilter} onShow={show} onRefresh={() => link.send('audit/refresh', {})} />,
);
