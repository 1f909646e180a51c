import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { NamedTool } from '../../consent/audit/decisionRecords.ts';
import type { ConsentRequest, Principal } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Claim } from '../../contract/questions/rolesAndClaims.ts';
import type { Risk, ToolInfo } from '../shared/serverState.ts';
import { revealDeep } from '../shared/shownJson.ts';

export interface ToolOfServer {
  readonly serverId: string;
  readonly server: string;
  /** What the server was started from, as the person allowed it; empty for the editor's own. */
  readonly identity: string;
  readonly tool: ToolInfo;
  readonly risk: Risk;
}

/**
 * The request for permission to call a tool. It is bound to the tool's definition and to the server as it was started, because another
 * program can offer the same tool; it is not bound to the arguments, which every question shows.
 */
export function callRequest(principal: Principal, { serverId, identity, tool }: ToolOfServer): ConsentRequest {
  let known = knownTools.get(tool);
  if (known?.identity !== identity) {
    const material = materialOf(tool, identity);
    known = { identity, definition: { fingerprint: fingerprintOf(material), material: revealDeep(material) }, requests: new Map() };
    knownTools.set(tool, known);
  }
  let request = known.requests.get(principal);
  if (request === undefined || request.serverId !== serverId) {
    const subject = ['server', serverId, ...(tool.page === undefined ? [] : ['app']), 'tool', tool.name];
    request = { serverId, made: { principal, action: 'callTool', subject, ...known.definition } };
    if (known.requests.size < maxRequests) {
      known.requests.set(principal, request);
    }
  }
  return request.made;
}

/** The request for a call of an outside client. What is given to one session of a shared credential is given to that session alone. */
export function outsideRequest(principal: Principal, target: ToolOfServer, session: readonly string[]): ConsentRequest {
  const request = callRequest(principal, target);
  return session.length === 0 ? request : { ...request, subject: [...request.subject, ...session] };
}

/** The names for the record of a call that nobody is asked about. */
export function namesOf({ server, tool }: ToolOfServer): NamedTool {
  let names = knownNames.get(tool);
  if (names?.label !== server) {
    names = { label: server, shown: { kind: 'named', server: revealInvisible(server), tool: revealInvisible(tool.name) } };
    knownNames.set(tool, names);
  }
  return names.shown;
}

interface KnownTool {
  readonly identity: string;
  readonly definition: Pick<ConsentRequest, 'fingerprint' | 'material'>;
  /** The requests of each principal, for the server that was asked about last. */
  readonly requests: Map<Principal, { readonly serverId: string; readonly made: ConsentRequest }>;
}

/** The limit for one tool, which belongs to one server and has few callers. */
const maxRequests = 20;

/** What was made of each tool, because every call needs it several times. A ToolInfo never changes: a changed list brings new ones. */
const knownTools = new WeakMap<ToolInfo, KnownTool>();
const knownNames = new WeakMap<ToolInfo, { readonly label: string; readonly shown: NamedTool }>();

/**
 * The request for a call from a task, whose arguments are in a file of the repository. It is bound to the arguments too, so
 * that a yes covers nothing that is written there later, and to the task's name, so that one task does not replace another.
 */
export function taskCallRequest({ serverId, identity, tool }: ToolOfServer, task: string, args: JsonObject): ConsentRequest {
  const material = { ...materialOf(tool, identity), arguments: args };
  const subject = ['server', serverId, 'tool', tool.name, 'task', task];
  return { principal: 'task', action: 'callTool', subject, fingerprint: fingerprintOf(material), material: revealDeep(material) };
}

function materialOf({ name, title, description, inputSchema, outputSchema, annotations, page }: ToolInfo, identity: string): JsonObject {
  const of = { ...(identity !== '' && { server: identity }), ...(page !== undefined && { page }) };
  return { name, title, description, inputSchema, outputSchema, annotations, ...of };
}

/** The server's own claims about its tool. They are shown, and change nothing else. */
export function claimsOf(annotations: JsonObject): Claim[] {
  const claims: readonly (readonly [string, boolean, Claim])[] = [
    ['readOnlyHint', true, 'readOnly'],
    ['readOnlyHint', false, 'changesThings'],
    ['destructiveHint', true, 'destructive'],
    ['destructiveHint', false, 'notDestructive'],
    ['idempotentHint', true, 'repeatable'],
    ['openWorldHint', true, 'openWorld'],
    ['openWorldHint', false, 'closedWorld'],
  ];
  return claims.filter(([hint, value]) => annotations[hint] === value).map(([, , claim]) => claim);
}
