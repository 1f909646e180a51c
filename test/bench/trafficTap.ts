/**
 * Run by itself: prints how many calls a second the server answers without a tap, with one that nobody looks through, and while
 * somebody does; and how long the view holds up the process while messages pass.
 */
import { systemClock } from '../../src/base/clock.ts';
import { TrafficLog } from '../../src/traffic/trafficLog.ts';
import { withoutSecrets } from '../../src/secrets/redactSecrets.ts';
import { longestBlock, ownTime } from '../support/longestBlock.ts';
import { OpenTraffic } from '../support/trafficFlood.ts';
import { runCore, type RunningCore } from '../unit/server/support/runningCore.ts';
import { agent, check, openSession, post } from './httpPost.ts';
import { measureInTurn, type Target } from './roundTrips.ts';

const limits = { requestsPerSecond: 1_000_000 };
const inFlight = 16;
const [closed, open] = [createLog(), createLog()];
open.setOpen(true);
const cores = [await runCore({ limits }), await runCore({ limits, traffic: closed }), await runCore({ limits, traffic: open })];
const names = ['without', 'closed', 'open'];
const measured = await measureInTurn(await Promise.all(cores.map((core, index) => target(names[index] ?? '', core))), inFlight);
const without = measured[0]?.perSecond ?? Number.NaN;
console.log(`\ntools/list over /mcp, ${inFlight} in flight, client and server in one process, by the tap of the traffic view`);
for (const { name, perSecond } of measured) {
  console.log(`${name.padEnd(8)} ${perSecond.toFixed(0).padStart(6)} /s  ${((perSecond / without) * 100).toFixed(0).padStart(4)} %`);
}
agent.destroy();
await measureHeldUp();
await Promise.all(cores.map((core) => core.close()));
process.exit();

async function measureHeldUp(): Promise<void> {
  const exchanges = 10_000;
  const warm = new OpenTraffic();
  await warm.flood(exchanges / 10);
  warm.dispose();
  const view = new OpenTraffic();
  await view.feed.find('nowhere');
  const before = process.memoryUsage().heapUsed;
  const flooded = await longestBlock(() => view.flood(exchanges));
  const megabytes = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
  const members = Array.from({ length: 50_000 }, (_, index) => `"name${index}":${index}`).join(',');
  const message = JSON.parse(`{"jsonrpc":"2.0","method":"notifications/message","params":{${members}}}`) as unknown;
  const large = await ownTime(() => view.receive(message));
  console.log(`\nthe open traffic view holds the process up for at most`);
  console.log(`${flooded.toFixed(1).padStart(6)} ms while ${exchanges} exchanges pass (${megabytes.toFixed(0)} MB more of heap)`);
  console.log(`${large.toFixed(1).padStart(6)} ms at a message with 50,000 members`);
  view.dispose();
}

function createLog(): TrafficLog {
  return new TrafficLog({ clock: systemClock, mask: () => (text) => withoutSecrets(text, []), canRepeat: () => false });
}

async function target(name: string, { port, token }: RunningCore): Promise<Target> {
  const url = `http://127.0.0.1:${port}/mcp`;
  const headers = await openSession(url, token);
  let id = 1;
  return {
    name,
    call: async () => {
      id += 1;
      check(await post(url, token, JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }), headers), 200);
    },
  };
}
