import { revealInvisible } from '../base/visibleText.ts';
import type { RunnerTool } from '../contract/runnerMessages.ts';
import type { ToolKey } from '../host/byHand/keptRuns.ts';
import { claimsOf, readableJson } from '../host/callRequest.ts';
import type { ServerSnapshot, ToolInfo } from '../host/shared/serverState.ts';
import { readableArgumentForm } from '../schemaForms/argumentForm.ts';
import { emptyMembers } from '../schemaForms/startingValues.ts';
import { beginningArguments, toolParameters } from '../schemaForms/toolArguments.ts';

/** One tool as its tab shows it, also while its server does not run: then as it was last, or by its name alone. */
export class ShownTool {
  readonly #key: ToolKey;
  #info: ToolInfo | undefined;
  #server = '';
  #shown: RunnerTool | undefined;

  constructor(key: ToolKey) {
    this.#key = key;
  }

  /** As people call it. */
  get server(): string {
    return this.#server;
  }

  /** The same object for as long as there is nothing new: a form is much to make and to send. */
  look(servers: readonly ServerSnapshot[]): RunnerTool {
    const { serverId, tool: name } = this.#key;
    const server = servers.find(({ id }) => id === serverId);
    this.#server = server?.label ?? this.#server;
    const info = server?.tools.find((each) => each.name === name) ?? this.#info;
    const state = stateOf(server, name);
    const known = this.#shown;
    const label = revealInvisible(this.#server);
    const isNew = known === undefined || info !== this.#info;
    const described = isNew ? { ...(info === undefined ? unknown(name) : describe(info)), key: this.#key } : known;
    const isSame = !isNew && known.state === state && known.server === label;
    const shown = isSame ? known : { ...described, server: label, state };
    this.#shown = shown;
    this.#info = info;
    return shown;
  }
}

type Described = Omit<RunnerTool, 'key' | 'server' | 'state'>;

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

/** After a reload of the window, before its server runs. */
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
