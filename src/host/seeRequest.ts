import type { JsonObject } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { ConsentRequest } from '../consent/consentModel.ts';
import { fingerprintOf } from '../consent/fingerprint.ts';
import { shownAsker } from '../consent/shownAsker.ts';
import type { Asker, Difference, SeeEditorQuestion } from '../contract/questions.ts';
import { readableJson, type ToolOfServer } from './callRequest.ts';

/**
 * For the chat: all tools of the editor that only look, as one. Bound to their names and not to their definitions: these are our
 * own words, which every update may better, and the question does not show them. What a person would want to know is that there
 * is another thing to be read. All names that there are, listed at the moment or not, so that a policy that comes and goes does
 * not ask again.
 */
export function seeRequest(serverId: string, tools: readonly string[]): ConsentRequest {
  const material: JsonObject = { tools: tools.toSorted() };
  return { principal: 'chat', action: 'seeEditor', subject: ['server', serverId, 'see'], fingerprint: fingerprintOf(material), material };
}

export function seeQuestion({ server, tool }: ToolOfServer, tools: readonly string[], asker: Asker, args: JsonObject): SeeEditorQuestion {
  return {
    kind: 'seeEditor',
    asker: shownAsker(asker),
    server: revealInvisible(server),
    tool: revealInvisible(tool.name),
    arguments: readableJson(args),
    tools: tools.toSorted(),
  };
}

/** By name: which came and which went. */
export function seeDifferences(before: JsonObject, after: JsonObject): Difference[] {
  const [old, now] = [namesIn(before), namesIn(after)];
  const gone = old.filter((name) => !now.includes(name));
  const added = now.filter((name) => !old.includes(name));
  return [
    ...gone.map((name): Difference => ({ field: 'tools', before: name })),
    ...added.map((name): Difference => ({ field: 'tools', after: name })),
  ];
}

function namesIn({ tools }: JsonObject): readonly string[] {
  return Array.isArray(tools) ? tools.filter((name) => typeof name === 'string') : [];
}
