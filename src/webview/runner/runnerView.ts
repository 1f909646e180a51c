import type { MessageOf } from '../../contract/messageLink.ts';
import type { ValueSource } from '../../contract/pageLimits.ts';
import type { RunnerKept, RunnerRun, runnerToHost, runnerToView, RunnerTool } from '../../contract/runnerMessages.ts';
import type { CheckArguments } from '../arguments/typedRefusals.ts';
import type { HostLink } from '../link/hostLink.ts';
import type { KeptDraft } from './keptDraft.ts';

/** What the page shows; the host owns all of it. */
export interface RunnerView {
  /** Undefined until the host has answered `ready`. */
  readonly tool: RunnerTool | undefined;
  readonly run: RunnerRun;
  readonly kept: RunnerKept;
}

type ToView = MessageOf<typeof runnerToView>;
type ValueAnswer = Extract<ToView, { name: 'runner/value' }>['body'];
type CheckAnswer = Extract<ToView, { name: 'runner/checked' }>['body'];
/** What the page itself asked for, by the number of the question. */
type Answer = Extract<ToView, { name: 'runner/value' | 'runner/checked' }>;

/** What the person can ask for. */
export interface RunnerIntents {
  readonly run: (args: string) => void;
  readonly stop: () => void;
  readonly again: () => void;
  readonly sendToChat: () => void;
  readonly openResult: () => void;
  readonly savePreset: (args: string) => void;
  readonly removePreset: (id: string) => void;
  readonly forgetRuns: () => void;
  readonly undoRemove: () => void;
  readonly openLink: (href: string) => void;
  readonly openResource: (uri: string) => void;
  readonly value: (source: ValueSource) => Promise<ValueAnswer>;
  readonly check: CheckArguments;
  /** What is in the form, JSON or not. */
  readonly typed: (text: string) => void;
}

export function isAnswer(message: ToView): message is Answer {
  return message.name === 'runner/value' || message.name === 'runner/checked';
}

export function receive(view: RunnerView, message: Exclude<ToView, Answer>): RunnerView {
  switch (message.name) {
    case 'runner/tool':
      return { ...view, tool: message.body };
    case 'runner/run':
      return { ...view, run: message.body };
    case 'runner/kept':
      return { ...view, kept: message.body };
  }
}

/** The intents, and what takes the answers to those that ask for something. */
export function createIntents(
  link: Pick<HostLink<typeof runnerToHost, typeof runnerToView>, 'send'>,
  draft: Pick<KeptDraft, 'typed' | 'checked'>,
): {
  readonly intents: RunnerIntents;
  readonly answer: (answer: Answer) => void;
} {
  const values = new Map<number, (answer: ValueAnswer) => void>();
  const checks = new Map<number, (answer: CheckAnswer) => void>();
  let lastRequest = 0;
  const intents: RunnerIntents = {
    run: (args) => link.send('runner/run', { arguments: args }),
    stop: () => link.send('runner/stop', {}),
    again: () => link.send('runner/again', {}),
    sendToChat: () => link.send('runner/sendToChat', {}),
    openResult: () => link.send('runner/open', {}),
    savePreset: (args) => link.send('runner/savePreset', { arguments: args }),
    removePreset: (id) => link.send('runner/removePreset', { id }),
    forgetRuns: () => link.send('runner/forgetRuns', {}),
    undoRemove: () => link.send('runner/undoRemove', {}),
    typed: draft.typed,
    openLink: (href) => link.send('link/open', { href }),
    openResource: (uri) => link.send('runner/openResource', { uri }),
    value: (source) => {
      const requestId = (lastRequest += 1);
      return new Promise((resolve) => {
        values.set(requestId, resolve);
        link.send('runner/value', { requestId, source });
      });
    },
    check: async (args, signal) => {
      const requestId = (lastRequest += 1);
      signal.addEventListener('abort', () => checks.delete(requestId), { once: true });
      const { refusals, mayKeep } = await new Promise<CheckAnswer>((resolve) => {
        checks.set(requestId, resolve);
        link.send('runner/check', { requestId, arguments: args });
      });
      draft.checked(args, mayKeep);
      return refusals;
    },
  };
  return { intents, answer: (given) => settle(given, values, checks) };
}

function settle(
  given: Answer,
  values: Map<number, (answer: ValueAnswer) => void>,
  checks: Map<number, (answer: CheckAnswer) => void>,
): void {
  const { requestId } = given.body;
  if (given.name === 'runner/value') {
    values.get(requestId)?.(given.body);
  } else {
    checks.get(requestId)?.(given.body);
  }
  values.delete(requestId);
  checks.delete(requestId);
}
