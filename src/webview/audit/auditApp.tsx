import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditFilter, AuditPage } from '../../contract/auditMessages.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { AuditBarsPicture } from './auditBars.tsx';
import { AuditTable } from './auditTable.tsx';

export interface AuditAppProps {
  /** Undefined until the host has answered `ready`. */
  readonly page: AuditPage | undefined;
  readonly onShow: (filter: AuditFilter, count: number) => void;
  readonly onRefresh: () => void;
}

const pageSize = 200;
const maxRows = 2_000;
const signs = {
  good: { name: 'pass', tone: 'good' },
  unknown: { name: 'question', tone: 'warning' },
  broken: { name: 'error', tone: 'error' },
} as const;
const noFilter: AuditFilter = { who: '', what: '', outcome: '', hours: 0 };

export function AuditApp({ page, onShow, onRefresh }: AuditAppProps): JSX.Element {
  const [filter, setFilter] = useState(noFilter);
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

function Filters({ filter, onChange }: { readonly filter: AuditFilter; readonly onChange: (filter: AuditFilter) => void }): JSX.Element {
  const text = (name: 'who' | 'what', label: string): JSX.Element => (
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
  return (
    <div class="table-filters" role="search" aria-label={t('Filter the audit log')}>
      {text('who', t('Who'))}
      {text('what', t('What'))}
      <label>
        {t('Outcome')}
        <select
          class="input"
          value={filter.outcome}
          onChange={(event) => onChange({ ...filter, outcome: event.currentTarget.value as AuditFilter['outcome'] })}
        >
          <option value="">{t('All')}</option>
          <option value="started">{t('Started')}</option>
          <option value="waiting">{t('Waiting')}</option>
          <option value="allowed">{t('Allowed')}</option>
          <option value="denied">{t('Denied')}</option>
          <option value="succeeded">{t('Succeeded')}</option>
          <option value="failed">{t('Failed')}</option>
          <option value="cancelled">{t('Cancelled')}</option>
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
