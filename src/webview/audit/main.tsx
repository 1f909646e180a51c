// audit/: the page with the record of what was decided and done.
import type { auditToHost, auditToView } from '../../contract/auditMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { startPage } from '../shared/startPage.ts';
import { AuditApp } from './auditApp.tsx';

const link = openHostLink<typeof auditToHost, typeof auditToView>();
startPage(
  link,
  () => link.send('ready', {}),
  (message) => (
    <AuditApp
      page={message?.body}
      onShow={(filter, count) => link.send('audit/show', { filter, count })}
      onRefresh={() => link.send('audit/refresh', {})}
    />
  ),
);
