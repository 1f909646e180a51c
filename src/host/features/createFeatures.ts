import type { Log } from '../../base/log.ts';
import type { ConsentGate } from '../../consent/consentGate.ts';
import type { WorkspaceFolder } from '../../definitions/serverDefinition.ts';
import { ElicitationHandler } from './elicitationHandler.ts';
import type { FeaturePorts } from './featurePorts.ts';
import { createGuard } from './handlerContext.ts';
import { OpenCalls } from './openCalls.ts';
import { RootsHandler } from './roots.ts';
import { SamplingHandler } from './samplingHandler.ts';
import { ServerFeatures } from './serverFeatures.ts';

export interface FeaturesOfServer {
  readonly serverId: string;
  readonly label: () => string;
  readonly folder: WorkspaceFolder | undefined;
  readonly gate: ConsentGate;
  /** Without it the server is offered no roots, no sampling and no elicitation. */
  readonly ports: FeaturePorts | undefined;
  readonly timeoutMs: number;
  readonly log: Log;
}

export function createFeatures({ ports, timeoutMs, log, ...server }: FeaturesOfServer): ServerFeatures {
  if (ports === undefined) {
    return new ServerFeatures({ timeoutMs, log });
  }
  const guard = createGuard();
  const calls = new OpenCalls();
  const context = { ...server, ports: { ...ports, ask: calls.placeOr(ports.ask) }, log, guard, calls };
  const handlers = [new RootsHandler(context), new SamplingHandler(context), new ElicitationHandler(context)];
  return new ServerFeatures({ timeoutMs, log, handlers, calls, isWaitingForPerson: () => guard.open > 0 });
}
