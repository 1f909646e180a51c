// doctor/: the page that says whether all is well, with a button beside what can be mended.
import type { doctorToHost, doctorToView } from '../../contract/doctorMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { startPage } from '../shared/startPage.ts';
import { DoctorApp } from './doctorApp.tsx';

const link = openHostLink<typeof doctorToHost, typeof doctorToView>();
startPage(
  link,
  () => link.send('ready', {}),
  (message) => (
    <DoctorApp
      report={message?.body}
      onAct={(finding, action) => link.send('doctor/act', { finding, action })}
      onCopy={() => link.send('doctor/copy', {})}
    />
  ),
);
