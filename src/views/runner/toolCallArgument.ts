import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { isRow } from '../servers/serverNodes.ts';
import { viewError } from '../sentences/viewErrors.ts';

/** A tool by the name of its server, and what it is called with. */
export interface NamedToolCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** What `duplex.runTool` takes from key bindings and other extensions. */
export interface ToolCallArgument extends NamedToolCall {
  /** For whoever cannot take the result themselves, such as a key: the person is shown it. */
  readonly show: boolean;
}

/** Whether a caller gave an argument of its own, and so wants an answer or a rejection. A row of a tree is no caller. */
export function isFromCaller(argument: unknown): boolean {
  return argument !== undefined && argument !== null && !isRow(argument);
}

export function readToolCall(argument: unknown): ToolCallArgument {
  const { server, tool, arguments: args = {}, show = false } = isJsonObject(argument) ? argument : {};
  if (typeof server !== 'string' || typeof tool !== 'string' || !isJsonObject(args) || typeof show !== 'boolean') {
    throw viewError('runTool.badArgument');
  }
  return { server, tool, arguments: args, show };
}
