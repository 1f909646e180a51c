import type { PermissionRow } from '../../contract/pages/permissionMessages.ts';

export interface PermissionFilter {
  readonly text: string;
  /** The name of a server or client; empty shows all. */
  readonly subject: string;
  readonly place: 'all' | 'here' | 'elsewhere';
}

export function matchingRows(rows: readonly PermissionRow[], { text, subject, place }: PermissionFilter): readonly PermissionRow[] {
  const part = text.trim().toLowerCase();
  return rows.filter(
    (row) =>
      `${row.what} ${row.who} ${row.where}`.toLowerCase().includes(part) &&
      (subject === '' || row.subject === subject) &&
      (place === 'all' || row.isHere === (place === 'here')),
  );
}

export function subjectsOf(rows: readonly PermissionRow[]): readonly string[] {
  return [...new Set(rows.map(({ subject }) => subject))]
    .filter((subject) => subject !== '')
    .sort((one, other) => one.localeCompare(other));
}
