// doctor/: the page that says whether all is well, with a button beside what can be mended.
import '../shared/strictPolicy.ts';
import { render } from 'preact';
import { doctorToHost, doctorToView, type DoctorReport } from '../../contract/doctorMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { loadBundle } from '../shared/localize.ts';
import { DoctorApp } from './doctorApp.tsx';

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent);
  const link = openHostLink(doctorToHost, doctorToView);
  const draw = (report: DoctorReport | undefined): void =>
    render(
      <DoctorApp
        report={report}
        onAct={(finding, action) => link.send('doctor/act', { finding, action })}
        onCopy={() => link.send('doctor/copy', {})}
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
