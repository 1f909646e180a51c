import type { MessageOf } from '../../contract/messageLink.ts';
import type { RunnerKept, RunnerRun, runnerToHost, runnerToView, RunnerTool, ValueSource } from '../../contract/runnerMessages.ts';
import type { CheckArguments } from '../arguments/typedRefusals.ts';
import type { HostLink } from '../link/hostLink.ts';

/** What the page shows; the host owns all of it. */
export interface RunnerView {
  /** Undefined until the host has answered `ready`. */
  readonly tool: RunnerTool | undefined;
  readonly run: RunnerRun;
  readonly kept: RunnerKept;
}

type ToView = MessageOf<typeof runnerToView>;
export type ValueAnswer = Extract<ToView, { name: 'runner/value' }>['body'];
type CheckAnswer = Extract<ToView, { name: 'runner/checked' }>['body'];

/** Answers of the host that somebody waits for, by the number of the question. */
export interface AwaitedAnswers {
  readonly values: Map<number, (answer: ValueAnswer) => void>;
  readonly checks: Map<number, (answer: CheckAnswer) => void>;
}

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
  readonly openLink: (href: string) => void;
  readonly openResource: (uri: string) => void;
  readonly value: (source: ValueSource) => Promise<ValueAnswer>;
  readonly check: CheckArguments;
}

export function receive(view: RunnerView, message: ToView, answers: AwaitedAnswers): RunnerView {
  switch (message.name) {
    case 'runner/value':
      answers.values.get(message.body.requestId)?.(message.body);
      answers.values.delete(message.body.requestId);
      return view;
    case 'runner/checked':
      answers.checks.get(message.body.requestId)?.(message.body);
      answers.checks.delete(message.body.requestId);
      return view;
    case 'runner/tool':
      return { ...view, tool: message.body };
    case 'runner/run':
      return { ...view, run: message.body };
    case 'runner/kept':
      return { ...view, kept: message.body };
  }
}

export function createIntents(
  link: Pick<HostLink<typeof runnerToHost, typeof runnerToView>, 'send'>,
  answers: AwaitedAnswers,
): RunnerIntents {
  let lastRequest = 0;
  return {
    run: (args) => link.send('runner/run', { arguments: args }),
    stop: () => link.send('runner/stop', {}),
    again: () => link.send('runner/again', {}),
    sendToChat: () => link.send('runner/sendToChat', {}),
    openResult: () => link.send('runner/open', {}),
    savePreset: (args) => link.send('runner/savePreset', { arguments: args }),
    removePreset: (id) => link.send('runner/removePreset', { id }),
    forgetRuns: () => link.send('runner/forgetRuns', {}),
    openLink: (href) => link.send('link/open', { href }),
    openResource: (uri) => link.send('runner/openResource', { uri }),
    value: (source) =>
      new Promise((resolve) => {
        const requestId = (lastRequest += 1);
        answers.values.set(requestId, resolve);
        link.send('runner/value', { requestId, source });
      }),
    check: (text, signal) =>
      new Promise((resolve) => {
        const requestId = (lastRequest += 1);
        // The host answers only the latest.
        signal.addEventListener('abort', () => answers.checks.delete(requestId));
        answers.checks.set(requestId, ({ refusals }) => resolve(refusals));
        link.send('runner/check', { requestId, arguments: text });
      }),
  };
}
