import type { JsonObject } from '../base/json.ts';
import type { AllTools, ConsentGate, ConsentInquiry } from '../consent/consentGate.ts';
import type { ConsentRequest, Principal } from '../consent/consentModel.ts';
import { fingerprintOf } from '../consent/fingerprint.ts';
import type { Choice } from '../contract/questions/answers.ts';
import type { Asker } from '../contract/questions/asker.ts';
import type { ContentDestination } from '../contract/sentContent.ts';
import { callQuestion, callRequest, taskCallRequest, type ToolOfServer } from './callRequest.ts';
import type { ManagedServer } from './managedServer.ts';
import { otherToolsOf, type OtherTools } from './otherTools.ts';
import { seeDifferences, seeQuestion, seeRequest, type WantedLook } from './seeRequest.ts';

const callChoices: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'];
/** The arguments of a task may hold what stands in no file: an allow of them is not written into one. */
const taskChoices: readonly Choice[] = ['deny', 'denyAlways', 'allowOnce', 'allowSession'];

interface WantedCall {
  readonly principal: Principal;
  readonly asker: Asker;
  readonly arguments: JsonObject;
  /** For the chat: who gets the result. */
  readonly destination?: ContentDestination | undefined;
}

export interface CallTarget extends ToolOfServer {
  readonly managed: ManagedServer;
}

type CallInquiry = Omit<ConsentInquiry, 'ask' | 'signal'>;

/** What a call is asked about: all that only looks at the editor, when the chat wants to, or this tool. */
export function callInquiry(call: WantedCall, target: CallTarget, gate: Pick<ConsentGate, 'verdict'>): CallInquiry {
  const { principal, destination } = call;
  if (principal === 'task') {
    return taskInquiry(call, target);
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

/** What an allow of a call is kept for, once it is made: with these arguments, which the person may have changed. */
export function keptRequest({ principal, asker }: WantedCall, target: ToolOfServer, args: JsonObject): ConsentRequest {
  return principal === 'task' ? taskCallRequest(target, asker.kind === 'task' ? asker.name : '', args) : callRequest(principal, target);
}

/** Never for all tools of the server: nobody knows the arguments of the others. */
function taskInquiry(call: WantedCall, target: CallTarget): CallInquiry {
  return {
    request: keptRequest(call, target, call.arguments),
    refusal: callRequest(call.principal, target),
    detail: callQuestion(target, call.asker, call.arguments),
    choices: taskChoices,
    isReading: isOwnReading(target),
    remembersLater: true,
  };
}

/** About this tool and nothing else: then a remembered answer about it settles the call. */
export function isAskedAlone(call: WantedCall, target: CallTarget): boolean {
  return call.principal !== 'task' && lookingTools(call, target) === undefined;
}

export function isOwnReading({ managed, tool }: CallTarget): boolean {
  return managed.ownQuestions !== undefined && tool.annotations?.readOnlyHint === true;
}

function toolInquiry(call: WantedCall, target: CallTarget, gate: Pick<ConsentGate, 'verdict'>): CallInquiry {
  const { ownQuestions } = target.managed;
  const request = callRequest(call.principal, target);
  const isAsked = gate.verdict(request).kind === 'ask';
  const detail = callQuestion(target, call.asker, call.arguments, isAsked);
  const asked = {
    request,
    choices: callChoices,
    isReading: isOwnReading(target),
  };
  // Only for somebody who will see it: a call that is allowed already does not wait for the rest of the server.
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

/** Of this moment, as the question shows them: one that comes or changes while it is open is not among them. */
function allTools(principal: Principal, target: CallTarget, { requests }: OtherTools): AllTools {
  const material = { server: target.server };
  return {
    others: requests,
    server: { principal, action: 'callTool', subject: ['server', target.serverId], fingerprint: fingerprintOf(material), material },
  };
}
