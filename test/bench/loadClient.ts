/** A client in a process of its own: `loadClient.js JSON` measures and prints the measurements as JSON. */
import type { Floors } from './floors.ts';
import { agent, check, post } from './httpPost.ts';
import { bareTarget, sessionTarget, sseTarget, statelessTarget, webSocketTarget, type OpenTarget } from './loadTargets.ts';
import { measureInTurn, type Measurement, type Target } from './roundTrips.ts';
import { profileFolder } from './profiling.ts';
import { targetNames } from './serverRows.ts';

export interface LoadOrder {
  readonly floors: Omit<Floors, 'close'>;
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

/** An echo that answers with less would be no measure: each gives what its counterpart has just given. */
async function matchFloors(own: readonly (readonly [OpenTarget, string])[]): Promise<void> {
  for (const [target, floorUrl] of own) {
    const { result } = JSON.parse(await target.ask()) as { result: object };
    check(await post(floorUrl.replace(/^ws/, 'http'), order.token, JSON.stringify(result), {}, 'PUT'), 200);
  }
}

async function main(): Promise<Measurement[]> {
  const { floors, peerUrl, urls, token } = order;
  const mcp = await sessionTarget(targetNames.mcp, urls.mcp, token);
  const stateless = statelessTarget(targetNames.stateless, urls.mcp, token);
  const sse = await sseTarget(targetNames.sse, urls.sse, token, true);
  const ws = await webSocketTarget(targetNames.ws, urls.ws, token, true);
  const targets = [
    bareTarget(targetNames.jsonFloor, floors.jsonUrl, token),
    mcp,
    statelessTarget(targetNames.statelessFloor, floors.statelessUrl, token),
    stateless,
    await sseTarget(targetNames.sseFloor, floors.sseUrl, token, false),
    sse,
    await webSocketTarget(targetNames.wsFloor, floors.wsUrl, token, false),
    ws,
    await sessionTarget(targetNames.peer, peerUrl, token),
  ];
  // The person is asked at the first call of each session; the bench's own window answers.
  await Promise.all([mcp, stateless, sse, ws].map((target) => target.call()));
  const measurements: Measurement[] = [];
  for (const inFlight of [1, 16]) {
    await matchFloors([
      [mcp, floors.jsonUrl],
      [stateless, floors.statelessUrl],
      [sse, floors.sseUrl],
      [ws, floors.wsUrl],
    ]);
    measurements.push(...(await measureInTurn(targets, inFlight, cpuMicros)));
  }
  if (profileFolder !== '') {
    await profile(targets);
  }
  targets.forEach((target) => target.close?.());
  agent.destroy();
  return measurements;
}

process.stdout.write(JSON.stringify(await main()));
