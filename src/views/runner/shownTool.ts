import { revealInvisible } from '../../base/visibleText.ts';
import type { ToolResultItem } from '../../contract/chat/chatState.ts';
import type { RunnerRun, RunnerTool } from '../../contract/pages/runnerMessages.ts';
import type { ToolKey } from '../../contract/chat/contextBudget.ts';
import type { EndedRun, HandRun } from '../../host/byHand/toolByHand.ts';
import { claimsOf } from '../../host/tools/callRequest.ts';
import { readableJson } from '../../host/shared/shownJson.ts';
import { requireResult } from '../../host/tools/runTool.ts';
import { toResultItems } from '../../host/tools/resultItems.ts';
import type { ShownDefinition } from '../../host/tools/toolCaller.ts';
import type { ServerSnapshot, ToolInfo } from '../../host/shared/serverState.ts';
import { readableArgumentForm } from '../../schemaForms/argumentForm.ts';
import { emptyMembers } from '../../schemaForms/argumentValues.ts';
import { beginningArguments, toolParameters } from '../../schemaForms/toolArguments.ts';

/** Describes one tool for its tab. While its server does not run, it is described as it was last, or by its name alone. */
export class ShownTool {
  readonly #key: ToolKey;
  #info: ToolInfo | undefined;
  #server = '';
  #shown: RunnerTool | undefined;

  constructor(key: ToolKey) {
    this.#key = key;
  }

  /** The name of the server that people know. */
  get server(): string {
    return this.#server;
  }

  /** The description of the tool now. It is the same object as long as nothing changed, because a form takes much to make and to send. */
  look(servers: readonly ServerSnapshot[], definitionOf: (key: ToolKey) => ShownDefinition | undefined): RunnerTool {
    const { serverId, tool: name } = this.#key;
    const server = servers.find(({ id }) => id === serverId);
    this.#server = server?.label ?? this.#server;
    const info = server?.tools.find((each) => each.name === name) ?? this.#info;
    const state = stateOf(server, name);
    const known = this.#shown;
    const label = revealInvisible(this.#server);
    const isNew = known === undefined || info !== this.#info;
    const described = isNew ? { ...(info === undefined ? unknown(name) : describe(info)), key: this.#key } : known;
    const now = definitionOf(this.#key);
    // While its server does not run, the definition is the one that is still shown; it is compared when the tool is called.
    const definition = now?.fingerprint ?? (isNew ? undefined : known.definition);
    const isSame = !isNew && known.state === state && known.server === label && known.definition === definition;
    // Decided once for each definition: a description that was read meanwhile stays unfolded where it is.
    const isRead = !isNew && known.definition === definition ? known.isRead === true : now?.isRead === true;
    const shown = isSame
      ? known
      : { ...described, server: label, state, ...(definition !== undefined && { definition }), ...(isRead && { isRead }) };
    this.#shown = shown;
    this.#info = info;
    return shown;
  }
}

type Described = Omit<RunnerTool, 'key' | 'server' | 'state' | 'definition' | 'isRead'>;

function stateOf(server: ServerSnapshot | undefined, tool: string): RunnerTool['state'] {
  switch (server?.state.kind) {
    case undefined:
      return 'gone';
    case 'ready':
      return server.tools.some(({ name }) => name === tool) ? 'ready' : 'gone';
    case 'starting':
      return 'starting';
    case 'failed':
    case 'stopped':
      return 'stopped';
  }
}

/** The description of a tool after a reload of the window, before its server runs. */
function unknown(name: string): Described {
  return { tool: revealInvisible(name), description: '', claims: [], isKnown: false, arguments: '{}' };
}

function describe({ name, title, description, annotations, inputSchema }: ToolInfo): Described {
  const form = readableArgumentForm(inputSchema);
  return {
    tool: revealInvisible(name),
    ...(title === undefined ? {} : { title: revealInvisible(title) }),
    description: revealInvisible(description),
    claims: claimsOf(annotations ?? {}),
    isKnown: true,
    ...(form === undefined ? {} : { form }),
    arguments: readableJson({ ...(form && emptyMembers(form)), ...beginningArguments(toolParameters(inputSchema)) }),
  };
}

/** How many characters of one text a page shows; the whole text can be opened in an editor. */
const maxShownText = 400_000;

export interface RunNames {
  readonly server: string;
  readonly tool: string;
  /** Whether the server gave the tool a page. */
  readonly hasApp: boolean;
}

type Ending = Extract<RunnerRun, { kind: 'ended' }>;

/** Describes the state of a run for its page. `sentenceOf` says a failure in the person's language. */
export function shownRun(run: HandRun, names: RunNames, sentenceOf: (error: unknown) => string, notKept?: Ending['notKept']): RunnerRun {
  switch (run.kind) {
    case 'none':
    case 'waiting':
      return { kind: run.kind };
    case 'running':
      return { kind: 'running', ...(run.progress === undefined ? {} : { progress: run.progress }) };
    case 'ended':
      return {
        ...endedRun(run, names, sentenceOf),
        arguments: readableJson(run.arguments),
        ...(run.elapsedMs === undefined ? {} : { elapsedMs: run.elapsedMs }),
        ...(notKept === undefined ? {} : { notKept }),
      };
  }
}

function endedRun(
  { outcome }: EndedRun,
  { server, tool, hasApp }: RunNames,
  sentenceOf: (error: unknown) => string,
): Omit<Ending, 'arguments'> {
  if (outcome.kind === 'result') {
    const { content, structuredContent = null, isError } = outcome.result;
    const items = toResultItems(outcome.result);
    const shown = items.map(withoutRest);
    return {
      kind: 'ended',
      ending: isError ? 'failed' : 'succeeded',
      items: shown,
      ...(hasApp && { hasApp }),
      ...(shown.some((item, index) => item !== items[index]) ? { isCut: true } : {}),
      bytes: Buffer.byteLength(JSON.stringify(structuredContent === null ? content : [content, structuredContent])),
    };
  }
  return { kind: 'ended', ending: outcome.kind, items: [], bytes: 0, error: reasonOf(outcome, server, tool, sentenceOf) };
}

function reasonOf(outcome: EndedRun['outcome'], server: string, tool: string, sentenceOf: (error: unknown) => string): string {
  try {
    requireResult(outcome, server, tool);
    return '';
  } catch (error) {
    return sentenceOf(error);
  }
}

function withoutRest(item: ToolResultItem): ToolResultItem {
  if (item.kind === 'text' && item.text.length > maxShownText) {
    return { ...item, text: item.text.slice(0, maxShownText) };
  }
  // JSON that is cut off is no JSON any more; the page shows it as text.
  return item.kind === 'structured' && item.json.length > maxShownText ? { ...item, json: item.json.slice(0, maxShownText) } : item;
}
