import type { MessageOf } from '../../contract/messageLink.ts';
import type { RunnerKept, RunnerRun, runnerToHost, runnerToView, RunnerTool, ValueSource } from '../../contract/runnerMessages.ts';
import type { HostLink } from '../link/hostLink.ts';

/** What the page shows; the host owns all of it. */
export interface RunnerView {
  /** Undefined until the host has answered `ready`. */
  readonly tool: RunnerTool | undefined;
  readonly run: RunnerRun;
  readonly kept: RunnerKept;
}

export type ValueAnswer = Extract<MessageOf<typeof runnerToView>, { name: 'runner/value' }>['body'];

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
  readonly value: (source: ValueSource) => Promise<ValueAnswer>;
}

export function receive(view: RunnerView, message: Exclude<MessageOf<typeof runnerToView>, { readonly name: 'runner/value' }>): RunnerView {
  switch (message.name) {
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
  answers: Map<number, (answer: ValueAnswer) => void>,
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
    value: (source) =>
      new Promise((resolve) => {
        const requestId = (lastRequest += 1);
        answers.set(requestId, resolve);
        link.send('runner/value', { requestId, source });
      }),
  };
}
