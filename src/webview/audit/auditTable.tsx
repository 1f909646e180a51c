import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditRow } from '../../contract/auditMessages.ts';
import { formatElapsed } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';

export function AuditTable({ rows }: { readonly rows: readonly AuditRow[] }): JSX.Element {
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
  const time = new Date(row.time).toLocaleString();
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
        <td>{row.who}</td>
        <td>{row.peer}</td>
        <td>{row.what}</td>
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
