import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { NamedTool } from '../../consent/audit/decisionRecords.ts';
import type { ConsentRequest, Principal } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import { shownAsker } from '../../consent/openQuestions.ts';
import type { Asker } from '../../contract/questions/callKnowledge.ts';
import type { Claim } from '../../contract/questions/rolesAndClaims.ts';
import type { CallToolQuestion, OtherTool, ToolParameter } from '../../contract/questions/toolQuestions.ts';
import { readableArgumentForm } from '../../schemaForms/argumentForm.ts';
import { parameterRows } from '../../schemaForms/toolArguments.ts';
import type { Risk, ToolInfo } from '../shared/serverState.ts';
import { readableJson, revealDeep } from '../shared/shownJson.ts';

export interface ToolOfServer {
  readonly serverId: string;
  readonly server: string;
  readonly tool: ToolInfo;
  readonly risk: Risk;
}

/** Pure. Bound to the tool's definition, not to the arguments: those are shown at every question. */
export function callRequest(principal: Principal, { serverId, tool }: ToolOfServer): ConsentRequest {
  let known = knownTools.get(tool);
  if (known === undefined) {
    const material = materialOf(tool);
    known = { definition: { fingerprint: fingerprintOf(material), material: revealDeep(material) }, requests: new Map() };
    knownTools.set(tool, known);
  }
  let request = known.requests.get(principal);
  if (request === undefined || request.serverId !== serverId) {
    const subject = ['server', serverId, 'tool', tool.name];
    request = { serverId, made: { principal, action: 'callTool', subject, ...known.definition } };
    if (known.requests.size < maxRequests) {
      known.requests.set(principal, request);
    }
  }
  return request.made;
}

/** The names for a record of a call that nobody is asked about. */
export function namesOf({ server, tool }: ToolOfServer): NamedTool {
  let names = knownNames.get(tool);
  if (names?.label !== server) {
    names = { label: server, shown: { kind: 'named', server: revealInvisible(server), tool: revealInvisible(tool.name) } };
    knownNames.set(tool, names);
  }
  return names.shown;
}

interface KnownTool {
  readonly definition: Pick<ConsentRequest, 'fingerprint' | 'material'>;
  /** By who calls it, for the server it was last asked about. */
  readonly requests: Map<Principal, { readonly serverId: string; readonly made: ConsentRequest }>;
}

/** Of one tool: it belongs to one server, and few are those who call. */
const maxRequests = 20;

/** A tool does not change: a list that says otherwise brings another one. Every call needs these several times. */
const knownTools = new WeakMap<ToolInfo, KnownTool>();
const knownNames = new WeakMap<ToolInfo, { readonly label: string; readonly shown: NamedTool }>();

/**
 * Pure. For a task, whose arguments stand in a file of the repository: bound to them too, so that a yes covers nothing that is
 * written there later. By the task's name, so that one task does not take the place of another.
 */
export function taskCallRequest({ serverId, tool }: ToolOfServer, task: string, args: JsonObject): ConsentRequest {
  const material = { ...materialOf(tool), arguments: args };
  const subject = ['server', serverId, 'tool', tool.name, 'task', task];
  return { principal: 'task', action: 'callTool', subject, fingerprint: fingerprintOf(material), material: revealDeep(material) };
}

function materialOf({ name, title, description, inputSchema, outputSchema, annotations }: ToolInfo): JsonObject {
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** `isShown`: only for somebody who will see it are form and parameters made, which can take long for a large schema. */
export function callQuestion({ server, tool, risk }: ToolOfServer, asker: Asker, args: JsonObject, isShown = true): CallToolQuestion {
  const form = isShown ? readableArgumentForm(tool.inputSchema) : undefined;
  return {
    kind: 'callTool',
    asker: shownAsker(asker),
    server: revealInvisible(server),
    tool: revealInvisible(tool.name),
    ...definitionOf(tool, isShown),
    arguments: readableJson(args),
    ...(form === undefined ? {} : { form }),
    risk,
  };
}

/** For the same question about another tool of the server. */
export function otherToolOf(tool: ToolInfo): OtherTool {
  return { name: revealInvisible(tool.name), ...definitionOf(tool, true) };
}

function definitionOf({ title, description, annotations, inputSchema }: ToolInfo, isShown: boolean): Omit<OtherTool, 'name'> {
  return {
    ...(title === undefined ? {} : { title: revealInvisible(title) }),
    description: revealInvisible(description),
    claims: claimsOf(annotations ?? {}),
    parameters: isShown ? parameterRows(inputSchema).map(revealParameter) : [],
  };
}

/** What the model was told of it, with nothing hidden in its texts. */
function revealParameter(row: ToolParameter): ToolParameter {
  const { name, type, description, values, default: given } = row;
  return {
    ...row,
    name: revealInvisible(name),
    type: revealInvisible(type),
    description: revealInvisible(description),
    values: values.map(revealInvisible),
    ...(given === undefined ? {} : { default: revealInvisible(given) }),
  };
}

/** The server's own words about its tool. They are shown and otherwise change nothing. */
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
