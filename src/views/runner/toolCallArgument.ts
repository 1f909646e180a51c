import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { isRow } from '../servers/serverNodes.ts';
import { viewError } from '../sentences/viewErrors.ts';

/** The call of a tool that is named by its server and its own name. */
export interface NamedToolCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** The argument that key bindings and other extensions give to `duplex.runTool`. */
export interface ToolCallArgument extends NamedToolCall {
  /** Whether the result is shown to the person, for callers that cannot take it themselves, such as a key. */
  readonly show: boolean;
}

/** Whether a caller gave an argument, and so wants a result or a rejection. A row of a tree is no caller. */
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
