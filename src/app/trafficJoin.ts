import { systemClock } from '../base/clock.ts';
import type { KnownSecrets } from '../definitions/knownSecrets.ts';
import { isRepeatable } from '../traffic/repeatable.ts';
import { TrafficLog } from '../traffic/trafficLog.ts';
import { TrafficDoor } from '../views/trafficDoor.ts';
import { trafficMask } from '../views/trafficMask.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

/** The messages of this window. */
export function createTrafficLog(secrets: KnownSecrets): TrafficLog {
  return new TrafficLog({
    clock: systemClock,
    mask: trafficMask((id) => secrets.of(id)),
    canRepeat: isRepeatable,
  });
}

export function joinTraffic(options: ViewsJoinOptions): TrafficDoor {
  return new TrafficDoor({
    load: async () => (await import('./trafficViewJoin.ts')).joinTrafficView(options),
    report: (error) => options.reporter.report(error),
  });
}
