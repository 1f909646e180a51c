import { atMost } from '../../base/abort.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { DebugVariable } from '../../server/seen/ports/debugPort.ts';

/** Asks the debug adapter of one session; rejects with what the adapter says. */
export type AskAdapter = (command: string, args: JsonObject) => PromiseLike<unknown>;

/** How long, in ms, an adapter may take for one answer about a program that stands still. */
const answerMs = 5_000;
/** The most characters that are taken of a value. */
export const maxValue = 100_000;
/** The most characters that are taken of a name or a type. */
const maxName = 500;
/** The most frames that are asked for. */
export const maxFrames = 50;
/** The most variables that are read for one answer, however deep. */
const maxVariables = 400;
/** After so many characters of values no more variables are read for an answer. */
const maxCharacters = 1_000_000;
/** The most scopes of a frame that are looked into. */
const maxScopes = 8;

export interface AdapterFrame {
  readonly id: number;
  readonly name: string;
  readonly source: JsonObject | undefined;
  readonly line: number;
}

/** Asks, and gives up after a while: an adapter that does not answer is as good as one that knows nothing. */
export async function askInTime(ask: AskAdapter, command: string, args: JsonObject, limitMs = answerMs): Promise<JsonObject> {
  try {
    const answer = await atMost(Promise.resolve(ask(command, args)), limitMs);
    return isJsonObject(answer) ? answer : {};
  } catch {
    return {};
  }
}

export async function threadsOf(ask: AskAdapter): Promise<readonly number[]> {
  const { threads } = await askInTime(ask, 'threads', {});
  return objectsIn(threads).flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
}

export async function framesOf(ask: AskAdapter, threadId: number, levels: number): Promise<readonly AdapterFrame[]> {
  const { stackFrames } = await askInTime(ask, 'stackTrace', { threadId, startFrame: 0, levels });
  return objectsIn(stackFrames)
    .slice(0, levels)
    .flatMap(({ id, name, source, line }) =>
      typeof id === 'number'
        ? [
            {
              id,
              name: typeof name === 'string' ? name.slice(0, maxName) : '',
              source: isJsonObject(source) ? source : undefined,
              line: typeof line === 'number' ? line : 0,
            },
          ]
        : [],
    );
}

/** Says in words what an exception is, as far as the adapter knows. */
export async function exceptionOf(ask: AskAdapter, threadId: number): Promise<string | undefined> {
  const { exceptionId, description } = await askInTime(ask, 'exceptionInfo', { threadId });
  const parts = [exceptionId, description].filter((part) => typeof part === 'string' && part !== '') as string[];
  const [id, words] = parts;
  const text = id !== undefined && words?.startsWith(id) === true ? words : parts.join(': ');
  return text === '' ? undefined : text.slice(0, maxValue);
}

export interface VariableQuery {
  /** The names of the variables that are wanted; without it all are. */
  readonly names?: readonly string[] | undefined;
  /** How many levels of what is in objects and lists; 1 is the variables alone. */
  readonly depth: number;
}

export interface ReadVariables {
  readonly variables: readonly DebugVariable[];
  /** Whether there are more. */
  readonly isPartial: boolean;
}

/** Reads the variables of a frame: those that cost nothing, and of globals only what was asked for by name. */
export async function variablesOf(ask: AskAdapter, frameId: number, query: VariableQuery): Promise<ReadVariables> {
  const { scopes } = await askInTime(ask, 'scopes', { frameId });
  const reader = new VariableReader(ask, query);
  for (const scope of objectsIn(scopes).slice(0, maxScopes)) {
    const isGlobal = scope['expensive'] === true || /global/i.test(`${textOf(scope['presentationHint'])} ${textOf(scope['name'])}`);
    if (!isGlobal || query.names !== undefined) {
      await reader.read(scope['variablesReference'], '', 1);
    }
  }
  return { variables: reader.found, isPartial: reader.isPartial };
}

/** Reads variables level by level. What refers to itself is read no deeper than was asked, and everything within bounds. */
class VariableReader {
  readonly found: DebugVariable[] = [];
  isPartial = false;
  readonly #ask: AskAdapter;
  readonly #query: VariableQuery;
  #characters = 0;

  constructor(ask: AskAdapter, query: VariableQuery) {
    this.#ask = ask;
    this.#query = query;
  }

  async read(reference: unknown, outer: string, level: number): Promise<void> {
    if (typeof reference !== 'number' || reference <= 0) {
      return;
    }
    const { variables } = await askInTime(this.#ask, 'variables', { variablesReference: reference });
    const deeper: { readonly reference: unknown; readonly name: string }[] = [];
    for (const variable of objectsIn(variables)) {
      const own = textOf(variable['name']).slice(0, maxName);
      if (outer === '' && !this.#isWanted(own)) {
        continue;
      }
      if (this.found.length >= maxVariables || this.#characters > maxCharacters) {
        this.isPartial = true;
        return;
      }
      const name = outer === '' ? own : memberName(outer, own);
      this.#add(name, variable);
      deeper.push({ reference: variable['variablesReference'], name });
    }
    for (const each of level < this.#query.depth ? deeper : []) {
      await this.read(each.reference, each.name, level + 1);
    }
  }

  #isWanted(name: string): boolean {
    const { names } = this.#query;
    // Groups such as "special variables" are the adapter's own, and no variables.
    return names === undefined ? !/^(?:special|function|class) variables$/.test(name) : names.includes(name);
  }

  #add(name: string, { type, value }: JsonObject): void {
    const text = typeof value === 'string' ? value.slice(0, maxValue) : '';
    this.#characters += text.length;
    this.found.push({
      name,
      ...(typeof type === 'string' && type !== '' && { type: type.slice(0, maxName) }),
      value: text,
    });
  }
}

function memberName(outer: string, own: string): string {
  return (/^\d+$/.test(own) ? `${outer}[${own}]` : `${outer}.${own}`).slice(0, maxName);
}

/** Which variables are new, or have another value than before. */
export function changedSince(before: ReadonlyMap<string, string> | undefined, now: readonly DebugVariable[]): readonly DebugVariable[] {
  return now.filter(({ name, value }) => before?.get(name) !== value);
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
