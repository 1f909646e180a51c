// clients/: what a client of either era stands on: the services all share, who it says it is and who we are, and how it is told
// of changes.
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { TrafficTap } from '../../../traffic/trafficTap.ts';
import type { AccessControl } from '../../access/accessControl.ts';
import type { ServerLimits } from '../../access/limits.ts';
import type { ServerTimings } from '../../access/timings.ts';
import type { Catalog } from '../../offer/catalog/catalog.ts';
import type { Method } from '../methods/lists.ts';
import type { ServerIdentity } from './serverIdentity.ts';

/** What all clients of a server share, whatever revision they speak. */
export interface ProtocolServices {
  readonly catalog: Catalog;
  readonly methods: ReadonlyMap<string, Method>;
  readonly access: AccessControl;
  readonly clock: Clock;
  readonly limits: ServerLimits;
  readonly timings: ServerTimings;
  readonly log: Log;
  readonly identity: ServerIdentity;
  /** Where what clients say and hear can be looked at. */
  readonly traffic?: TrafficTap | undefined;
}

/** Who keeps count of a client. */
export interface ClientObserver {
  didChange(): void;
  didReceive(method: string): void;
  didClose(): void;
}
