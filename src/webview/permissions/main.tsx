// permissions/: the page with every remembered answer.
import '../shared/strictPolicy.ts';
import { render } from 'preact';
import { permissionsToHost, permissionsToView, type PermissionRow } from '../../contract/permissionMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { loadBundle } from '../shared/localize.ts';
import { PermissionsApp } from './permissionsApp.tsx';

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent);
  const link = openHostLink(permissionsToHost, permissionsToView);
  const draw = (rows: readonly PermissionRow[] | undefined): void =>
    render(
      <PermissionsApp
        rows={rows}
        onRevoke={(ids) => link.send('permissions/revoke', { ids: [...ids] })}
        onExport={() => link.send('permissions/export', {})}
      />,
      root,
    );
  draw(undefined);
  link.listen((message) => draw(message.body.rows));
  link.send('ready', {});
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
