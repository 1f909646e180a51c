import { useState } from 'preact/hooks';
import { estimateTokens, priceOf } from '../../../contract/chat/modelPrices.ts';
import type { Choice, QuestionDetail } from '../../../contract/questions/questions.ts';
import type { SamplingEdit, SamplingPart, SamplingQuestion } from '../../../contract/questions/samplingQuestions.ts';
import { argumentsProblem } from '../../shared/jsonText.ts';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';

export type Remembered = 'once' | 'session' | 'workspace';

interface Values {
  readonly systemPrompt: string;
  /** One entry for every text and every `toolUse`, in the order of the question. */
  readonly texts: readonly string[];
  /** One entry for every image, in the order of the question: whether it is left out. */
  readonly leftOutImages: readonly boolean[];
  readonly stopSequences: readonly string[];
  /** One entry for every tool, in the order of the question: whether the model is not offered it. */
  readonly leftOutTools: readonly boolean[];
  readonly model: string;
  readonly maxTokens: string;
  readonly usesContext: boolean;
  readonly context: string;
  readonly requestsPerHour: string;
  readonly tokensPerDay: string;
  readonly remember: Remembered;
}

/** What the person has changed so far in a request for the model, or in its answer. */
export interface SamplingDraft {
  readonly values: Values;
  set(change: Partial<Values>): void;
  setText(index: number, text: string): void;
  readonly problem: string | undefined;
  /** The choice that the one button for sending stands for, by what is to be remembered. */
  choice(): Choice;
  toEdit(): SamplingEdit;
  /** What the person changed that holds even when they refuse the request. */
  toRefusal(): SamplingEdit | undefined;
}

export function useSamplingDraft(detail: QuestionDetail): SamplingDraft {
  const [before] = useState(() => initialValues(detail));
  const [values, setValues] = useState(before);
  return {
    values,
    set: (change) => setValues((old) => ({ ...old, ...change })),
    setText: (index, text) => setValues((old) => ({ ...old, texts: withEntry(old.texts, index, text) })),
    problem: problemOf(detail, values),
    choice: () => ({ once: 'allowOnce', session: 'allowSession', workspace: 'allowWorkspace' } as const)[values.remember],
    toEdit: () => editOf(detail, before, values),
    toRefusal: () => refusedEdit(detail, before, values),
  };
}

/** The parts of the messages that can be edited, in order. */
export function editableParts(detail: QuestionDetail): readonly Extract<SamplingPart, { kind: 'text' | 'toolUse' }>[] {
  return partsOf(detail).filter((part) => part.kind === 'text' || part.kind === 'toolUse');
}

function partsOf(detail: QuestionDetail): readonly SamplingPart[] {
  if (detail.kind === 'sampling') {
    return detail.messages.flatMap((message) => message.parts);
  }
  return detail.kind === 'samplingResponse' ? detail.parts : [];
}

/** A copy of the list with another entry at one place. */
export function withEntry<T>(list: readonly T[], index: number, entry: T): readonly T[] {
  return list.map((each, at) => (at === index ? entry : each));
}

/** The text that a person edits; JSON stays JSON. */
export function editedFrom(part: Extract<SamplingPart, { kind: 'text' | 'toolUse' }>): string {
  return part.kind === 'text' ? wholeText(part.text) : part.input;
}

export function initialValues(detail: QuestionDetail): Values {
  const texts = editableParts(detail).map(editedFrom);
  const asked = detail.kind === 'sampling' ? detail : undefined;
  return {
    systemPrompt: wholeText(asked?.systemPrompt.text ?? ''),
    texts,
    leftOutImages: partsOf(detail).flatMap(({ kind }) => (kind === 'image' ? [false] : [])),
    stopSequences: (asked?.stopSequences ?? []).map(({ text }) => wholeText(text)),
    leftOutTools: (asked?.tools ?? []).map(() => false),
    model: asked?.model ?? '',
    maxTokens: String(asked?.maxTokens.value ?? ''),
    usesContext: false,
    context: wholeText(asked?.context?.text ?? ''),
    requestsPerHour: String(asked?.budget.requestsPerHour ?? ''),
    tokensPerDay: String(asked?.budget.tokensPerDay ?? ''),
    remember: 'once',
  };
}

/** Finds the first problem that keeps the request from being sent. */
export function problemOf(detail: QuestionDetail, values: Values): string | undefined {
  const parts = editableParts(detail);
  const isJsonBroken = parts.some((part, index) => part.kind === 'toolUse' && argumentsProblem(values.texts[index] ?? '') !== undefined);
  if (isJsonBroken) {
    return t('What a tool is called with must be a JSON object.');
  }
  if (detail.kind !== 'sampling') {
    return undefined;
  }
  const hasOther = partsOf(detail).some(({ kind }) => kind !== 'text' && kind !== 'image') || values.leftOutImages.includes(false);
  if (!hasOther && values.texts.every((text) => text.trim() === '')) {
    return t('There is no message left to send.');
  }
  if (!isCount(values.maxTokens, 1, detail.maxTokens.cap)) {
    return t('The longest answer is a whole number from 1 to {0}.', formatNumber(detail.maxTokens.cap));
  }
  return isBudgetWhole(values) ? undefined : t('The budget is in whole numbers.');
}

function isBudgetWhole({ requestsPerHour, tokensPerDay }: Values): boolean {
  return isCount(requestsPerHour, 0, 10_000) && isCount(tokensPerDay, 0, 100_000_000);
}

/** Returns what is kept of a refused request: a changed budget, which holds for the server whatever becomes of this request. */
export function refusedEdit(detail: QuestionDetail, before: Values, now: Values): SamplingEdit | undefined {
  const { budget } = editOf(detail, before, now);
  return isBudgetWhole(now) && budget !== undefined ? { budget } : undefined;
}

/** Compares the values and returns what the person changed. Everything that is as it was is left out. */
export function editOf(detail: QuestionDetail, before: Values, now: Values): SamplingEdit {
  const texts = now.texts.map((text, index) => (text === before.texts[index] ? null : text));
  const changed: SamplingEdit = texts.some((text) => text !== null) ? { texts } : {};
  if (detail.kind !== 'sampling') {
    return changed;
  }
  const isBudgetChanged = now.requestsPerHour !== before.requestsPerHour || now.tokensPerDay !== before.tokensPerDay;
  return {
    ...changed,
    ...changedParts(before, now),
    ...(now.systemPrompt !== before.systemPrompt && { systemPrompt: now.systemPrompt }),
    ...(now.model.trim() !== before.model && { model: now.model.trim() }),
    ...(now.maxTokens !== before.maxTokens && { maxTokens: Number(now.maxTokens) }),
    ...(now.usesContext && { context: now.context }),
    ...(isBudgetChanged && { budget: { requestsPerHour: Number(now.requestsPerHour), tokensPerDay: Number(now.tokensPerDay) } }),
  };
}

function changedParts(before: Values, now: Values): SamplingEdit {
  const [leftOutImages, leftOutTools] = [chosenPlaces(now.leftOutImages), chosenPlaces(now.leftOutTools)];
  const stopSequences = now.stopSequences.map((text, index) => (text === before.stopSequences[index] ? null : text));
  return {
    ...(leftOutImages.length > 0 && { leftOutImages }),
    ...(stopSequences.some((text) => text !== null) && { stopSequences }),
    ...(leftOutTools.length > 0 && { leftOutTools }),
  };
}

function chosenPlaces(chosen: readonly boolean[]): number[] {
  return chosen.flatMap((isChosen, index) => (isChosen ? [index] : []));
}

export interface Estimate {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost in US dollars; undefined when nobody knows the model's price. */
  readonly cost: number | undefined;
}

/** Estimates what would be sent now, with an answer as long as it may be. */
export function estimateOf(detail: SamplingQuestion, values: Values): Estimate {
  const context = values.usesContext ? values.context : '';
  const tools = detail.tools.flatMap(({ name, description, inputSchema }, index) =>
    values.leftOutTools[index] === true ? [] : [name, wholeText(description.text), inputSchema.text],
  );
  const images = values.leftOutImages.filter((isLeftOut) => !isLeftOut).length;
  const inputTokens = estimateTokens([values.systemPrompt, context, ...values.texts, ...tools], images);
  const outputTokens = Number(values.maxTokens) || 0;
  const price = priceOf(values.model.trim(), inputTokens);
  return { inputTokens, outputTokens, cost: price && (inputTokens * price.input + outputTokens * price.output) / 1_000_000 };
}

function isCount(text: string, least: number, most: number): boolean {
  return /^\d{1,9}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
}
