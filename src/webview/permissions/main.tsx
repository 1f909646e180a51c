// permissions/: the page with every remembered answer.
import type { permissionsToHost, permissionsToView } from '../../contract/permissionMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { startPage } from '../shared/startPage.ts';
import { PermissionsApp } from './permissionsApp.tsx';

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
