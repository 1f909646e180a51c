// clients/: what clients of both eras need: the shared services, the names of client and server, and how a client is told of
// changes.
import type { ReceivedName } from '../methods/methodDispatch.ts';
import type { Clock } from '../../../base/clock.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { Log } from '../../../base/log.ts';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { TrafficTap } from '../../../traffic/trafficTap.ts';
import type { AccessControl } from '../../access/accessControl.ts';
import type { ServerLimits, ServerTimings } from '../../access/limits.ts';
import type { Catalog } from '../../offer/catalog/catalog.ts';
import type { Method } from '../methods/methodDispatch.ts';

/** The services that all clients of a server share, whatever revision they speak. */
export interface ProtocolServices {
  readonly catalog: Catalog;
  readonly methods: ReadonlyMap<string, Method>;
  readonly access: AccessControl;
  readonly clock: Clock;
  readonly limits: ServerLimits;
  readonly timings: ServerTimings;
  readonly log: Log;
  readonly identity: ServerIdentity;
  /** Where the messages of clients are recorded for the traffic view. */
  readonly traffic?: TrafficTap | undefined;
}

/** Is told what happens with a client. */
export interface ClientObserver {
  didChange(): void;
  didReceive(received: ReceivedName): void;
  didClose(): void;
}

/** What the server says about itself, in both eras. */
export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** Returns what the server says about itself; `version` is that of the extension. */
export function identityOf(version: string): ServerIdentity {
  return { name: 'duplex', title: 'Duplex', version };
}

/** The capabilities that both eras declare; each declares tasks in its own way. */
export const commonCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** The longest name of a client that is shown. */
const maxNameLength = 120;
/** How much of a client's name is read at all. */
const maxReadLength = 1_000;

/** Makes a `callsItself` for a client that names itself in every request: the result is cached until the name changes. */
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
    // Long names are not cached, nor what is no text.
    words = said.every((word) => word === undefined || (typeof word === 'string' && word.length <= maxNameLength)) ? said : [];
    shown = callsItself(clientInfo);
    return shown;
  };
}

/** What a client calls itself, made safe to show. */
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
  // The text is copied, because a slice would keep the whole text in memory, perhaps megabytes.
  return revealInvisible(Buffer.from(shown).toString());
}
