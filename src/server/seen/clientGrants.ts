import type { Event } from '../../base/events.ts';
import type { Viewer } from './viewer.ts';

/** What the person has lifted for one client of what is withheld from all. */
export interface ClientGrants {
  /** Sensitive files of the workspace: `.env`, keys and the like. */
  readonly sensitive: boolean;
  /** Open documents outside the workspace. */
  readonly outside: boolean;
}

export const noGrants: ClientGrants = { sensitive: false, outside: false };

/** Asked at every use: a grant that is taken back counts at once. */
export interface GrantsPort {
  of(viewer: Viewer): ClientGrants;
  readonly onDidChange: Event<void>;
}
