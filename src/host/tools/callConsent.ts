import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { AllToolsScope, ConsentGate, ConsentInquiry } from '../../consent/consentGate.ts';
import type { ConsentRequest, Principal } from '../../consent/consentModel.ts';
import { differencesAtServer, fingerprintOf } from '../../consent/fingerprint.ts';
import { shownAsker } from '../../consent/openQuestions.ts';
import type { Choice, Difference } from '../../contract/questions/questions.ts';
import type { Asker } from '../../contract/questions/callKnowledge.ts';
import type { OtherTool, SeeEditorQuestion } from '../../contract/questions/toolQuestions.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import type { ManagedServer } from '../managedServer.ts';
import type { ToolInfo } from '../shared/serverState.ts';
import { readableJson } from '../shared/shownJson.ts';
import { isCarriedElsewhere, ruledInquiry, shownOffers, type RuledTool, type RulePlaces } from './ruleOffers.ts';
import { callQuestion, otherToolOf } from './callQuestion.ts';
import { callRequest, outsideRequest, taskCallRequest, type ToolOfServer } from './callRequest.ts';

const callChoices: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'];
/** For what a permission is not written into a file: the arguments of a task, which may be in none themselves, and a tool of an app. */
const taskChoices: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession'];
const onlyOnce: readonly Choice[] = ['deny', 'allowOnce'];

interface WantedCall {
  readonly principal: Principal;
  readonly asker: Asker;
  readonly arguments: JsonObject;
  /** For a call of the chat: the model or guide that gets the result. */
  readonly destination?: ContentDestination | undefined;
  /** For a call of an outside client. */
  readonly outside?: OutsideTerms | undefined;
}

/** What an outside client can be given. */
export interface OutsideTerms {
  /** The end of the subject of what is given to one session alone; empty where it is given to the credential. */
  readonly session: readonly string[];
  readonly choices: readonly Choice[];
  /** An earlier allow does not count. */
  readonly asksEachTime?: boolean | undefined;
}

export interface CallTarget extends ToolOfServer {
  readonly managed: ManagedServer;
  readonly places: RulePlaces;
}

type CallInquiry = Omit<ConsentInquiry, 'ask' | 'signal'>;

/** What the person is asked about a call: all tools that only look at the editor, when the chat wants one of those, otherwise this tool. */
export function callInquiry(call: WantedCall, target: CallTarget, gate: Pick<ConsentGate, 'verdict' | 'verdictOnCall'>): CallInquiry {
  const { principal, destination, outside } = call;
  if (outside !== undefined) {
    return outsideInquiry(call, outside, target);
  }
  if (principal === 'task') {
    return taskInquiry(call, target);
  }
  if (target.tool.page !== undefined) {
    return appToolInquiry(call, target);
  }
  const looking = lookingTools(call, target);
  return looking !== undefined && destination !== undefined
    ? seeInquiry({ ...call, destination }, target, looking)
    : toolInquiry(call, target, gate);
}

/** The tools that only look, when the chat wants one of them: it is asked about all of them at once. */
function lookingTools({ principal, destination }: WantedCall, { managed, tool }: CallTarget): readonly string[] | undefined {
  const looking = managed.ownQuestions?.onlyLooking;
  return principal === 'chat' && destination !== undefined && looking?.includes(tool.name) === true ? looking : undefined;
}

function seeInquiry(call: WantedCall & WantedLook, target: CallTarget, tools: readonly string[]): CallInquiry {
  const request = seeRequest(target.serverId, tools, call.destination);
  return {
    request,
    exactly: callRequest(call.principal, target),
    detail: seeQuestion(target, tools, call),
    differencesFrom: (previous) => seeDifferences(previous, request.material),
    choices: callChoices,
    isReading: true,
  };
}

/** The request under which a permission is remembered once the call is made. It has the arguments as the person left them. */
export function keptRequest({ principal, asker }: WantedCall, target: ToolOfServer, args: JsonObject): ConsentRequest {
  return principal === 'task' ? taskCallRequest(target, asker.kind === 'task' ? asker.name : '', args) : callRequest(principal, target);
}

/** A task is never offered a permission for all tools, because nobody knows the arguments of the others. */
function taskInquiry(call: WantedCall, target: CallTarget): CallInquiry {
  const request = keptRequest(call, target, call.arguments);
  return {
    request,
    differencesFrom: (previous) => differencesAtServer(previous, request.material),
    refusal: callRequest(call.principal, target),
    detail: callQuestion(target, call.asker, call.arguments),
    choices: taskChoices,
    isReading: isOwnReading(target),
    remembersLater: true,
  };
}

/** A tool of an app is asked about alone, and is there no longer than the app: no rule covers it, and no file keeps a permission for it. */
function appToolInquiry({ principal, asker, arguments: args }: WantedCall, target: CallTarget): CallInquiry {
  const request = callRequest(principal, target);
  return {
    request,
    differencesFrom: (previous) => differencesAtServer(previous, request.material),
    detail: callQuestion(target, asker, args),
    choices: taskChoices,
  };
}

/** An outside client is given single tools alone: no rule, and not all tools of a server at once. */
function outsideInquiry(call: WantedCall, { session, choices, asksEachTime }: OutsideTerms, target: CallTarget): CallInquiry {
  const request = outsideRequest(call.principal, target, session);
  return {
    request,
    differencesFrom: (previous) => differencesAtServer(previous, request.material),
    detail: callQuestion(target, call.asker, call.arguments),
    choices: asksEachTime === true ? onlyOnce : choices,
    asksAnew: asksEachTime,
  };
}

/** Whether the question is about this tool only, so that a remembered answer about it settles the call. */
export function isAskedAlone(call: WantedCall, target: CallTarget): boolean {
  if (call.outside !== undefined) {
    return call.outside.asksEachTime !== true;
  }
  return call.principal !== 'task' && lookingTools(call, target) === undefined;
}

export function isOwnReading({ managed, tool }: CallTarget): boolean {
  return managed.ownQuestions !== undefined && tool.annotations?.readOnlyHint === true;
}

function toolInquiry(call: WantedCall, target: CallTarget, gate: Pick<ConsentGate, 'verdict' | 'verdictOnCall'>): CallInquiry {
  const { ownQuestions } = target.managed;
  const request = callRequest(call.principal, target);
  const ruledTool = ruledToolOf(target);
  const isAsked = gate.verdictOnCall(request, ruledTool && ruledInquiry(call.arguments, ruledTool, false)).kind === 'ask';
  const ruled = ruledTool && ruledInquiry(call.arguments, ruledTool, isAsked);
  const offers = shownOffers(ruled?.offered ?? []);
  const detail = { ...callQuestion(target, call.asker, call.arguments, isAsked), ...(offers.length > 0 && { rules: offers }) };
  const asked = {
    request,
    ruled,
    differencesFrom: (previous: JsonObject) => differencesAtServer(previous, request.material),
    choices: offers.length > 0 ? [...callChoices, 'allowWhen' as const] : callChoices,
    isReading: isOwnReading(target),
  };
  // The other tools are described only when somebody will see the question; a call that is allowed already does not wait for
  // that.
  const others =
    ownQuestions === undefined && isAsked ? otherToolsOf(call.principal, target, target.managed.connection.tools, gate) : undefined;
  if (others === undefined) {
    return { ...asked, detail };
  }
  const { shown, refused } = others;
  return {
    ...asked,
    detail: { ...detail, otherTools: [...shown], ...(refused > 0 && { refusedTools: refused }) },
    allTools: allTools(call.principal, target, others),
  };
}

/** The tools of the editor itself are covered by no rule: they run, save and edit, or are asked about all at once. */
function ruledToolOf({ managed, tool, places }: CallTarget): RuledTool | undefined {
  if (managed.ownQuestions !== undefined) {
    return undefined;
  }
  const { runsOn } = managed;
  const runsHere = runsOn !== undefined && managed.connection.session?.origin === undefined && !isCarriedElsewhere(runsOn.material);
  return { inputSchema: tool.inputSchema, runsHere, places };
}

/** The permission for all tools covers those that the question shows; a tool that comes or changes while it is open is not covered. */
function allTools(principal: Principal, target: CallTarget, { requests }: OtherTools): AllToolsScope {
  const material = { server: target.server };
  return {
    others: requests,
    server: { principal, action: 'callTool', subject: ['server', target.serverId], fingerprint: fingerprintOf(material), material },
  };
}

/** The most tools that one answer can be for: nobody would read more before a yes. A larger server is asked about tool by tool. */
const maxToolsAtOnce = 100;
/** Limits what the server sent, what is shown of it and what would be stored, each for itself. */
const maxLengthAtOnce = 300_000;

/** One of the other tools, for whoever asks. */
interface ToolAtOnce {
  readonly shown: OtherTool;
  readonly name: string;
  readonly request: Omit<ConsentRequest, 'principal'>;
}

export interface OtherTools {
  readonly shown: readonly OtherTool[];
  readonly requests: readonly ConsentRequest[];
  /** How many other tools the person has refused. They stay refused. */
  readonly refused: number;
}

/** Cached by list, because many calls may wait for an answer about the same list. A changed list is a new object. */
const known = new WeakMap<readonly ToolInfo[], readonly ToolAtOnce[]>();

/** All tools but the one that is asked about; undefined when there are none to allow, or too much to read. */
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

/** Empty when it is too much to read, which is found out before anything is described. */
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

/** The definition of a tool that an answer is bound to, without icons, which nobody is asked about. */
function definitionOf({ name, title, description, inputSchema, outputSchema, annotations }: ToolInfo): object {
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** Stops at the first item that is too much. */
function isLonger(items: readonly object[]): boolean {
  let length = 0;
  return items.some((item) => (length += JSON.stringify(item).length) > maxLengthAtOnce);
}

/**
 * The permission of the chat for all tools of the editor that only look. It is bound to their names, not to their
 * definitions, which are our own words and may change with every update; what matters to a person is that there is another
 * thing to be read. It covers all names, listed at the moment or not, so that a policy that comes and goes does not cause a
 * new question. And it is bound to whoever gets what is read: what may stay on this machine may not therefore leave it.
 */
export function seeRequest(serverId: string, tools: readonly string[], destination: ContentDestination): ConsentRequest {
  const material: JsonObject = { tools: tools.toSorted(), destination: destination.kind === 'guide' ? '' : destination.address };
  return { principal: 'chat', action: 'seeEditor', subject: ['server', serverId, 'see'], fingerprint: fingerprintOf(material), material };
}

interface WantedLook {
  readonly asker: Asker;
  readonly arguments: JsonObject;
  readonly destination: ContentDestination;
}

function seeQuestion({ server, tool }: ToolOfServer, tools: readonly string[], look: WantedLook): SeeEditorQuestion {
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

/** Shows who gets the results, and the names of tools that came or went. */
function seeDifferences(before: JsonObject, after: JsonObject): Difference[] {
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
