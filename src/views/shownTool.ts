import { revealInvisible } from '../base/visibleText.ts';
import type { RunnerTool } from '../contract/runnerMessages.ts';
import type { ToolKey } from '../host/byHand/keptRuns.ts';
import { claimsOf, readableJson } from '../host/callRequest.ts';
import type { ServerSnapshot, ToolInfo } from '../host/shared/serverState.ts';
import { readableArgumentForm } from '../schemaForms/argumentForm.ts';
import { beginningArguments, toolParameters } from '../schemaForms/toolArguments.ts';

/** One tool as its tab shows it, also while its server does not run: then as it was last. */
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
  look(servers: readonly ServerSnapshot[]): RunnerTool | undefined {
    const { serverId, tool: name } = this.#key;
    const server = servers.find(({ id }) => id === serverId);
    this.#server = server?.label ?? this.#server;
    const info = server?.tools.find((each) => each.name === name) ?? this.#info;
    const state = stateOf(server, name);
    const known = this.#shown;
    if (info === undefined) {
      return undefined;
    }
    const label = revealInvisible(this.#server);
    if (known === undefined || info !== this.#info) {
      this.#shown = { ...describe(info), server: label, state };
    } else if (known.state !== state || known.server !== label) {
      this.#shown = { ...known, server: label, state };
    }
    this.#info = info;
    return this.#shown;
  }
}

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

function describe({ name, title, description, annotations, inputSchema }: ToolInfo): Omit<RunnerTool, 'server' | 'state'> {
  const form = readableArgumentForm(inputSchema);
  return {
    tool: revealInvisible(name),
    ...(title === undefined ? {} : { title: revealInvisible(title) }),
    description: revealInvisible(description),
    claims: claimsOf(annotations ?? {}),
    ...(form === undefined ? {} : { form }),
    arguments: readableJson(beginningArguments(toolParameters(inputSchema))),
  };
}
