import type { Log } from '../../base/log.ts';
import type { ConsentGate } from '../../consent/consentGate.ts';
import type { WorkspaceFolder } from '../../definitions/serverDefinition.ts';
import type { FeaturePorts } from './featurePorts.ts';
import type { OpenCalls } from './openCalls.ts';
import { RequestGuard } from './requestGuard.ts';

/** For which server requests are answered, and with what. */
export interface HandlerContext {
  readonly serverId: string;
  /** What people call it, now. */
  readonly label: () => string;
  /** The folder it is configured in, which is then all it sees. */
  readonly folder: WorkspaceFolder | undefined;
  readonly gate: ConsentGate;
  readonly ports: FeaturePorts;
  readonly log: Log;
  /** Of sampling and elicitation together: both take the person's time. */
  readonly guard: RequestGuard;
  /** What the server asks meanwhile is withdrawn when they are given up. */
  readonly calls: OpenCalls;
}

export function createGuard(): RequestGuard {
  return new RequestGuard({ atOnce: 3, perMinute: 20 });
}
