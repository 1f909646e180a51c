import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PermissionRow, permissionsToHost, permissionsToView } from '../../contract/pages/permissionMessages.ts';
import { WholeNames } from '../shared/elements.tsx';
import { dateLocale } from '../shared/formats.ts';
import { openHostLink } from '../shared/hostLink.ts';
import { t } from '../shared/localize.ts';
import { startPage } from '../shared/page.tsx';
import { matchingRows, type PermissionFilter, subjectsOf } from './permissionFilter.ts';

export interface PermissionsAppProps {
  /** The permissions; undefined until the host has answered `ready`. */
  readonly rows: readonly PermissionRow[] | undefined;
  readonly onRevoke: (ids: readonly string[]) => void;
  readonly onExport: () => void;
}

function PermissionsApp({ rows, onRevoke, onExport }: PermissionsAppProps): JSX.Element {
  const [filter, setFilter] = useState<PermissionFilter>({ text: '', subject: '', place: 'all' });
  const shown = matchingRows(rows ?? [], filter);
  return (
    <main class="table-page">
      <header class="table-head">
        <h1>{t('Permissions')}</h1>
        <div class="table-actions">
          <ForSome count={rows?.length ?? 0} onClick={onExport}>
            {t('Export')}
          </ForSome>
          <ForSome count={shown.length} onClick={() => onRevoke(shown.map(({ id }) => id))}>
            {t('Revoke all shown ({0})', shown.length)}
          </ForSome>
        </div>
      </header>
      <p class="secondary">
        {t('What you allowed or denied for longer than once. Revoked, it is asked again; what runs on it ends at once, in every window.')}
      </p>
      <Filters filter={filter} subjects={subjectsOf(rows ?? [])} onChange={setFilter} />
      <p role="status" class="secondary">
        {statusOf(rows, shown)}
      </p>
      {rows !== undefined && <PermissionTable rows={shown} onRevoke={onRevoke} />}
    </main>
  );
}

interface ForSomeProps {
  /** How many permissions it is for. */
  readonly count: number;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A button that does nothing where there is nothing to do it with. It keeps the focus also then. */
function ForSome({ count, onClick, children }: ForSomeProps): JSX.Element {
  return (
    <button type="button" class="button is-secondary" aria-disabled={count === 0} onClick={() => (count === 0 ? undefined : onClick())}>
      {children}
    </button>
  );
}

function statusOf(rows: readonly PermissionRow[] | undefined, shown: readonly PermissionRow[]): string {
  if (rows === undefined) {
    return t('Reading…');
  }
  return rows.length === 0 ? t('Nothing is remembered.') : t('{0} of {1} remembered answers', shown.length, rows.length);
}

interface FiltersProps {
  readonly filter: PermissionFilter;
  readonly subjects: readonly string[];
  readonly onChange: (filter: PermissionFilter) => void;
}

function Filters({ filter, subjects, onChange }: FiltersProps): JSX.Element {
  return (
    <div class="table-filters" role="search" aria-label={t('Filter the permissions')}>
      <label>
        {t('Filter')}
        <input
          type="search"
          class="input"
          value={filter.text}
          maxLength={200}
          onInput={(event) => onChange({ ...filter, text: event.currentTarget.value })}
        />
      </label>
      <label>
        {t('Server or client')}
        <select class="input" value={filter.subject} onChange={(event) => onChange({ ...filter, subject: event.currentTarget.value })}>
          <option value="">{t('All')}</option>
          {subjects.map((subject) => (
            <option key={subject} value={subject}>
              {subject}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('Where')}
        <select
          class="input"
          value={filter.place}
          onChange={(event) => onChange({ ...filter, place: event.currentTarget.value as PermissionFilter['place'] })}
        >
          <option value="all">{t('All')}</option>
          <option value="here">{t('In this window')}</option>
          <option value="elsewhere">{t('In other workspaces')}</option>
        </select>
      </label>
    </div>
  );
}

function PermissionTable({
  rows,
  onRevoke,
}: {
  readonly rows: readonly PermissionRow[];
  readonly onRevoke: (ids: readonly string[]) => void;
}): JSX.Element {
  return (
    <table aria-label={t('Permissions')} class="wide-table">
      <thead>
        <tr>
          <th scope="col">{t('Answer')}</th>
          <th scope="col">{t('What')}</th>
          <th scope="col">{t('Who')}</th>
          <th scope="col">{t('Where')}</th>
          <th scope="col">{t('Since')}</th>
          <th scope="col">{t('Last used')}</th>
          <th scope="col">
            <span class="screen-reader-only">{t('Revoke')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td class={row.answer === 'deny' ? 'is-denied' : undefined}>{row.answer === 'allow' ? t('Allowed') : t('Denied')}</td>
            <td class="is-any-length">{row.what}</td>
            <td>
              <WholeNames text={row.who} />
            </td>
            <td>{row.where}</td>
            <td class="is-date">{new Date(row.since).toLocaleString(dateLocale())}</td>
            <td class="is-date">{row.lastUsed === undefined ? t('Never') : new Date(row.lastUsed).toLocaleString(dateLocale())}</td>
            <td>
              <button type="button" class="button is-secondary" aria-description={row.what} onClick={() => onRevoke([row.id])}>
                {t('Revoke')}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const link = openHostLink<typeof permissionsToHost, typeof permissionsToView>();
startPage(
  link,
  () => link.send('ready', {}),
  (message) => (
    <PermissionsApp
      rows={message?.body.rows}
      onRevoke={(ids) => link.send('permissions/revoke', { ids: [...ids] })}
      onExport={() => link.send('permissions/export', {})}
    />
  ),
);
