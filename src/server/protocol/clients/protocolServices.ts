// clients/: what a client of either era stands on: the services all share, who it says it is and who we are, and how it is told
// of changes.
import type { Clock } from '../../../base/clock.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { Log } from '../../../base/log.ts';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { TrafficTap } from '../../../traffic/trafficTap.ts';
import type { AccessControl } from '../../access/accessControl.ts';
import type { ServerLimits, ServerTimings } from '../../access/limits.ts';
import type { Catalog } from '../../offer/catalog/catalog.ts';
import type { Method } from '../methods/methodDispatch.ts';

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

/** What the server says of itself, in either era. */
export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** `version` is the extension's. */
export function identityOf(version: string): ServerIdentity {
  return { name: 'duplex', title: 'Duplex', version };
}

/** What both eras declare; tasks are declared by each in its own way. */
export const commonCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

const maxNameLength = 120;
const maxReadLength = 1_000;

/** For one client that says it with every request: worked out again only when its words are others. */
export function rememberingCallsItself(): typeof callsItself {
  let words: readonly unknown[] = [];
  let shown = '';
  return (clientInfo) => {
    if (!isJsonObject(clientInfo)) {
      return '';
    }
    const { name, title, version } = clientInfo;
    if (name === words[0] && title === words[1] && version === words[2] && words.length > 0) {
      return shown;
    }
    const said = [name, title, version];
    // What is long is not kept, nor what is no text.
    words = said.every((word) => word === undefined || (typeof word === 'string' && word.length <= maxNameLength)) ? said : [];
    shown = callsItself(clientInfo);
    return shown;
  };
}

/** The client's own words about itself, safe to show. */
export function callsItself(clientInfo: unknown): string {
  if (!isJsonObject(clientInfo)) {
    return '';
  }
  const { name, title, version } = clientInfo;
  const words = [typeof title === 'string' && title !== '' ? title : name, version].filter((word) => typeof word === 'string');
  const shown = words
    .map((word) => word.slice(0, maxReadLength))
    .join(' ')
    .replace(/\s+/g, ' ')
    .slice(0, maxNameLength);
  // A copy: a piece of a text keeps the whole text, and that may be megabytes.
  return revealInvisible(Buffer.from(shown).toString());
}
