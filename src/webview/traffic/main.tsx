// traffic/: the page with every protocol message of this window.
import type { trafficToHost, trafficToView } from '../../contract/trafficMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { startPage } from '../shared/startPage.ts';
import { TrafficApp } from './trafficApp.tsx';
import { nextTraffic, noTraffic, readWish } from './trafficState.ts';

const link = openHostLink<typeof trafficToHost, typeof trafficToView>();
let state = noTraffic;
startPage(
  link,
  () => {
    link.send('ready', {});
    link.send('traffic/find', { text: readWish(link.readStored()).text });
  },
  (message) => {
    state = message === undefined ? state : nextTraffic(state, message);
    return <TrafficApp state={state} link={link} />;
  },
);
