/** A client in a process of its own: `loadClient.js JSON` measures and prints the measurements as JSON. */
import { agent, check, post } from './httpPost.ts';
import { bareTarget, sessionTarget, sseTarget, statelessTarget, webSocketTarget } from './loadTargets.ts';
import { measureInTurn, type Measurement, type Target } from './roundTrips.ts';
import { profileFolder } from './profiling.ts';
import { targetNames } from './serverRows.ts';

export interface LoadOrder {
  readonly floors: { readonly jsonUrl: string; readonly sseUrl: string; readonly wsUrl: string; readonly controlUrl: string };
  readonly peerUrl: string;
  readonly urls: { readonly mcp: string; readonly sse: string; readonly ws: string };
  readonly token: string;
}

const order = JSON.parse(process.argv[2] ?? '') as LoadOrder;

/** Of the process with all servers in it. */
const cpuMicros = (): Promise<number> => control('/cpu');

async function control(wish: string): Promise<number> {
  const answer = await post(`${order.floors.controlUrl}${wish}`, '', '');
  check(answer, 200);
  return Number(answer.body);
}

/** One target at a time, with as many calls in flight as keep the server at work. */
async function profile(targets: readonly Target[]): Promise<void> {
  for (const target of targets) {
    await control('/profile');
    await measureInTurn([target], 16);
    await control(`/profile?${encodeURIComponent(target.name)}`);
  }
}

async function main(): Promise<Measurement[]> {
  const { floors, peerUrl, urls, token } = order;
  const targets = [
    bareTarget(targetNames.jsonFloor, floors.jsonUrl, token),
    await sessionTarget(targetNames.mcp, urls.mcp, token),
    statelessTarget(targetNames.stateless, urls.mcp, token),
    await sseTarget(targetNames.sseFloor, floors.sseUrl, token, false),
    await sseTarget(targetNames.sse, urls.sse, token, true),
    await webSocketTarget(targetNames.wsFloor, floors.wsUrl, token, false),
    await webSocketTarget(targetNames.ws, urls.ws, token, true),
    await sessionTarget(targetNames.peer, peerUrl, token),
  ];
  // The person is asked at the first call of each session; the bench's own window answers.
  await Promise.all(targets.map((target) => target.call()));
  const measurements = [...(await measureInTurn(targets, 1, cpuMicros)), ...(await measureInTurn(targets, 16, cpuMicros))];
  if (profileFolder !== '') {
    await profile(targets);
  }
  targets.forEach((target) => target.close?.());
  agent.destroy();
  return measurements;
}

process.stdout.write(JSON.stringify(await main()));
