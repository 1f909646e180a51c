// audit/: the page with the record of what was decided and done.
import '../shared/strictPolicy.ts';
import { render } from 'preact';
import { auditToHost, auditToView, type AuditPage } from '../../contract/auditMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { loadBundle } from '../shared/localize.ts';
import { AuditApp } from './auditApp.tsx';

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent);
  const link = openHostLink(auditToHost, auditToView);
  const draw = (page: AuditPage | undefined): void =>
    render(
      <AuditApp
        page={page}
        onShow={(filter, count) => link.send('audit/show', { filter, count })}
        onRefresh={() => link.send('audit/refresh', {})}
      />,
      root,
    );
  draw(undefined);
  link.listen((message) => draw(message.body));
  link.send('ready', {});
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
