import { systemClock } from '../base/clock.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { isRepeatable } from '../traffic/repeatable.ts';
import { TrafficLog } from '../traffic/trafficLog.ts';
import { sendAgain } from '../views/sendAgain.ts';
import { callWithProgress } from '../views/toolProgress.ts';
import { trafficMask } from '../views/trafficMask.ts';
import { TrafficView } from '../views/trafficView.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

/** The messages of this window. `registry` is looked up at each message: it is made after the log it writes to. */
export function createTrafficLog(registry: () => HostRegistry | undefined): TrafficLog {
  return new TrafficLog({
    clock: systemClock,
    mask: trafficMask((id) => registry()?.definitionOf(id), process.env),
    canRepeat: isRepeatable,
  });
}

export function joinTraffic({ extensionUri, traffic, host, questions, reporter, log }: ViewsJoinOptions): TrafficView {
  const { registry, reader, caller } = host;
  const ask = questions.askOwn;
  return new TrafficView({
    traffic,
    extensionUri,
    sendAgain: (record) =>
      sendAgain(
        {
          registry,
          reader,
          call: (server, tool, args) =>
            callWithProgress(caller, server, { principal: 'palette', asker: { kind: 'person' }, tool, arguments: args, ask }),
          ask,
        },
        record,
      ),
    onFailure: (error) => reporter.report(error),
    log,
  });
}
