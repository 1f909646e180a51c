import type { JsonObject } from '../base/json.ts';
import { editorServerName } from '../contract/identity.ts';
import { chatError } from './chatSentences.ts';
import { ToolRun, type ToolRunContext } from './toolRun.ts';

/** What a button of an answer runs. */
export type OwnTool = 'propose_edit' | 'run_terminal_command';

/**
 * Runs a tool of the editor for the person, who pressed a button of an answer: asked about like any other call, and shown as a
 * card of that answer. No model is told.
 */
export async function runOwnTool(context: Omit<ToolRunContext, 'to' | 'signal'>, tool: OwnTool, args: JsonObject): Promise<void> {
  const { conversation, itemId, tools, createId, forgotten } = context;
  conversation.assistant(itemId); // rejects for one that is not shown any more
  const offered = tools.list().find((each) => each.server === editorServerName && each.tool === tool);
  if (offered === undefined) {
    throw chatError('chat.toolGone', { name: tool });
  }
  const use = { kind: 'toolUse', id: createId(), name: offered.name, input: args } as const;
  // The result stays in this window.
  await new ToolRun(use, offered, { ...context, signal: forgotten, to: { kind: 'guide' } }).run(true);
}
