import type { EndedRun, HandRun } from '../host/byHand/toolByHand.ts';
import { readableJson } from '../host/callRequest.ts';
import { requireResult } from '../host/requireResult.ts';
import { toResultItems } from '../host/resultItems.ts';
import type { ToolResultItem } from '../contract/chatState.ts';
import type { RunnerRun } from '../contract/runnerMessages.ts';

/** More of one text than anybody reads in a page; the whole is one click away, in an editor. */
const maxShownText = 400_000;

export interface RunNames {
  readonly server: string;
  readonly tool: string;
}

type Ending = Extract<RunnerRun, { kind: 'ended' }>;

/** Pure. Where a run stands, as its page shows it. `sentenceOf` has the person's language. */
export function shownRun(run: HandRun, names: RunNames, sentenceOf: (error: unknown) => string, notKept?: Ending['notKept']): RunnerRun {
  switch (run.kind) {
    case 'none':
    case 'waiting':
      return { kind: run.kind };
    case 'running':
      return { kind: 'running', ...(run.progress === undefined ? {} : { progress: run.progress }) };
    case 'ended':
      return {
        ...endedRun(run, names, sentenceOf),
        arguments: readableJson(run.arguments),
        ...(run.elapsedMs === undefined ? {} : { elapsedMs: run.elapsedMs }),
        ...(notKept === undefined ? {} : { notKept }),
      };
  }
}

function endedRun({ outcome }: EndedRun, { server, tool }: RunNames, sentenceOf: (error: unknown) => string): Omit<Ending, 'arguments'> {
  if (outcome.kind === 'result') {
    const { content, structuredContent = null, isError } = outcome.result;
    const items = toResultItems(outcome.result);
    const shown = items.map(withoutRest);
    return {
      kind: 'ended',
      ending: isError ? 'failed' : 'succeeded',
      items: shown,
      ...(shown.some((item, index) => item !== items[index]) ? { isCut: true } : {}),
      bytes: Buffer.byteLength(JSON.stringify(structuredContent === null ? content : [content, structuredContent])),
    };
  }
  return { kind: 'ended', ending: outcome.kind, items: [], bytes: 0, error: reasonOf(outcome, server, tool, sentenceOf) };
}

function reasonOf(outcome: EndedRun['outcome'], server: string, tool: string, sentenceOf: (error: unknown) => string): string {
  try {
    requireResult(outcome, server, tool);
    return '';
  } catch (error) {
    return sentenceOf(error);
  }
}

function withoutRest(item: ToolResultItem): ToolResultItem {
  if (item.kind === 'text' && item.text.length > maxShownText) {
    return { ...item, text: item.text.slice(0, maxShownText) };
  }
  // What is cut is no JSON any more, and so shown as a text.
  return item.kind === 'structured' && item.json.length > maxShownText ? { ...item, json: item.json.slice(0, maxShownText) } : item;
}
