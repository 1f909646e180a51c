// traffic/: the page with every protocol message of this window.
import { trafficToHost, trafficToView } from '../../contract/trafficMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { startPage } from '../shared/startPage.ts';
import { TrafficApp } from './trafficApp.tsx';
import { nextTraffic, noTraffic } from './trafficState.ts';

const link = openHostLink(trafficToHost, trafficToView);
let state = noTraffic;
startPage(
  link,
  () => link.send('ready', {}),
  (message) => {
    state = message === undefined ? state : nextTraffic(state, message);
    return <TrafficApp state={state} link={link} />;
  },
);
