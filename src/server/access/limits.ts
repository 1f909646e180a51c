import { limitsSetting, type LimitsSetting } from '../../contract/serverLimits.ts';

/** What one window's server grants, at most: what the person can set, and what they cannot. */
export interface ServerLimits extends LimitsSetting {
  /** Requests of one session that may be unanswered at a time. */
  readonly requestsInFlight: number;
}

export const defaultLimits: ServerLimits = { ...limitsSetting().parse({}), requestsInFlight: 256 };
