import type { ConsentGate } from '../consent/consentGate.ts';
import type { ConsentRequest, Principal } from '../consent/consentModel.ts';
import type { OtherTool } from '../contract/questions/toolQuestions.ts';
import { callRequest, otherToolOf, type ToolOfServer } from './callRequest.ts';
import type { ToolInfo } from './shared/serverState.ts';

/** More than a person would read before a yes; such a server is answered about tool by tool. */
const maxToolsAtOnce = 100;
/** Of what the server sent, of what is shown of it and of what would be kept. */
const maxLengthAtOnce = 300_000;

/** One tool beside others, for whoever asks. */
interface ToolAtOnce {
  readonly shown: OtherTool;
  readonly name: string;
  readonly request: Omit<ConsentRequest, 'principal'>;
}

export interface OtherTools {
  readonly shown: readonly OtherTool[];
  readonly requests: readonly ConsentRequest[];
  /** How many more there are that the person has refused: they stay refused. */
  readonly refused: number;
}

/** A list is another one when it changes; many calls may wait for an answer about the same one. */
const known = new WeakMap<readonly ToolInfo[], readonly ToolAtOnce[]>();

/** All tools but the one that is asked about; `undefined` where there are none to allow, or too much to read. */
export function otherToolsOf(
  principal: Principal,
  target: ToolOfServer,
  tools: readonly ToolInfo[],
  gate: Pick<ConsentGate, 'verdict'>,
): OtherTools | undefined {
  const others = describedOnce(target, tools).filter(({ name }) => name !== target.tool.name);
  const allowable = others
    .map(({ shown, request }) => ({ shown, request: { principal, ...request } }))
    .filter(({ request }) => gate.verdict(request).kind !== 'deny');
  return allowable.length === 0
    ? undefined
    : {
        shown: allowable.map(({ shown }) => shown),
        requests: allowable.map(({ request }) => request),
        refused: others.length - allowable.length,
      };
}

function describedOnce(server: ToolOfServer, tools: readonly ToolInfo[]): readonly ToolAtOnce[] {
  let described = known.get(tools);
  if (described === undefined) {
    described = describe(server, tools);
    known.set(tools, described);
  }
  return described;
}

/** None when it is too much: that is found out before anything is made of it. */
function describe(server: ToolOfServer, tools: readonly ToolInfo[]): readonly ToolAtOnce[] {
  if (tools.length > maxToolsAtOnce || isLonger(tools.map(definitionOf))) {
    return [];
  }
  const described = tools.map((tool): ToolAtOnce => {
    const { action, subject, fingerprint, material } = callRequest('host', { ...server, tool });
    return { name: tool.name, shown: otherToolOf(tool), request: { action, subject, fingerprint, material } };
  });
  const isTooLong = isLonger(described.map(({ shown }) => shown)) || isLonger(described.map(({ request }) => request.material));
  return isTooLong ? [] : described;
}

/** Without its pictures, which nobody is asked about. */
function definitionOf({ name, title, description, inputSchema, outputSchema, annotations }: ToolInfo): object {
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** Looks no further than to the item that is one too many. */
function isLonger(items: readonly object[]): boolean {
  let length = 0;
  return items.some((item) => (length += JSON.stringify(item).length) > maxLengthAtOnce);
}
