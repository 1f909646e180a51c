import type { JsonObject } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { ConsentRequest } from '../consent/consentModel.ts';
import { fingerprintOf } from '../consent/fingerprint.ts';
import { shownAsker } from '../consent/shownAsker.ts';
import type { Difference } from '../contract/questions.ts';
import type { Asker } from '../contract/questions/asker.ts';
import type { SeeEditorQuestion } from '../contract/questions/toolQuestions.ts';
import type { ContentDestination } from '../contract/sentContent.ts';
import { readableJson, type ToolOfServer } from './callRequest.ts';

/**
 * For the chat: all tools of the editor that only look, as one. Bound to their names and not to their definitions: these are our
 * own words, which every update may better, and the question does not show them. What a person would want to know is that there
 * is another thing to be read. All names that there are, listed at the moment or not, so that a policy that comes and goes does
 * not ask again. And to whoever gets what is read: what may stay on this machine may not therefore leave it.
 */
export function seeRequest(serverId: string, tools: readonly string[], destination: ContentDestination): ConsentRequest {
  const material: JsonObject = { tools: tools.toSorted(), destination: destination.kind === 'guide' ? '' : destination.address };
  return { principal: 'chat', action: 'seeEditor', subject: ['server', serverId, 'see'], fingerprint: fingerprintOf(material), material };
}

export interface WantedLook {
  readonly asker: Asker;
  readonly arguments: JsonObject;
  readonly destination: ContentDestination;
}

export function seeQuestion({ server, tool }: ToolOfServer, tools: readonly string[], look: WantedLook): SeeEditorQuestion {
  const { asker, arguments: args, destination } = look;
  return {
    kind: 'seeEditor',
    asker: shownAsker(asker),
    server: revealInvisible(server),
    tool: revealInvisible(tool.name),
    arguments: readableJson(args),
    tools: tools.toSorted(),
    destination:
      destination.kind === 'guide'
        ? destination
        : { kind: 'model', name: revealInvisible(destination.name), address: revealInvisible(destination.address) },
  };
}

/** Who gets it, and by name which tools came and which went. */
export function seeDifferences(before: JsonObject, after: JsonObject): Difference[] {
  const [old, now] = [namesIn(before), namesIn(after)];
  const gone = old.filter((name) => !now.includes(name));
  const added = now.filter((name) => !old.includes(name));
  const [from, to] = [before['destination'], after['destination']];
  return [
    ...(from === to || typeof to !== 'string'
      ? []
      : [{ field: 'destination', ...(typeof from === 'string' && { before: from }), after: to }]),
    ...gone.map((name): Difference => ({ field: 'tools', before: name })),
    ...added.map((name): Difference => ({ field: 'tools', after: name })),
  ];
}

function namesIn({ tools }: JsonObject): readonly string[] {
  return Array.isArray(tools) ? tools.filter((name) => typeof name === 'string') : [];
}
