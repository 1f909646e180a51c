import { toDisposable, type Disposable } from '../../../src/base/lifecycle.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { AssistantItem, ToolCallPart } from '../../../src/contract/chat/chatState.ts';
import type { Question } from '../../../src/contract/questions/questions.ts';
import { messageOf } from '../../../src/base/errors.ts';
import type { ChatContent, ChatToolCall, ChatToolOutcome, ChatTools } from '../../../src/chat/content/hostPorts.ts';
import { ChatSession } from '../../../src/chat/turn/chatSession.ts';
import type { ChatSessionOptions, ChatViewMessage } from '../../../src/chat/turn/sessionOptions.ts';
import type { ModelEvent, ModelProvider, ModelRequest, ModelTool } from '../../../src/chat/models/modelProvider.ts';
import type { Clock } from '../../../src/base/clock.ts';

/** Waits take no time, but are written down; the one minute of the idle timer never comes. */
export class EagerClock implements Clock {
  readonly waits: number[] = [];

  now(): number {
    return 0;
  }

  wallTime(): number {
    return 0;
  }

  schedule(milliseconds: number, run: () => void): Disposable {
    if (milliseconds >= 60_000) {
      return toDisposable(() => undefined);
    }
    this.waits.push(milliseconds);
    const timer = setImmediate(() => {
      disposable.dispose();
      run();
    });
    const disposable = toDisposable(() => clearImmediate(timer));
    return disposable;
  }
}

export function makeTool(server: string, tool: string, inputSchema: JsonObject = { type: 'object' }): ModelTool {
  return { name: `${server}_${tool}`, server, tool, description: `The ${tool} tool.\nMore.`, inputSchema };
}

export function makeQuestion(askId: string, tool = 'echo'): Question {
  return {
    askId,
    why: 'new',
    differences: [],
    choices: ['allowOnce', 'deny'],
    detail: {
      kind: 'callTool',
      asker: { kind: 'guide' },
      server: 'everything',
      tool,
      description: '',
      claims: [],
      arguments: '{}',
      risk: 'unknown',
    },
  };
}

export const textResult = (text: string): ChatToolOutcome => ({ kind: 'result', isError: false, items: [{ kind: 'text', text }] });

/** Tools whose behaviour is a function; every call is written down. */
export class FakeTools implements ChatTools {
  readonly calls: ChatToolCall[] = [];
  tools: readonly ModelTool[];
  behave: (call: ChatToolCall) => Promise<ChatToolOutcome>;
  prepare: ChatTools['prepare'] = () => Promise.resolve();
  waiting: NonNullable<ChatTools['waiting']> = () => [];
  #waiters: { readonly count: number; readonly tell: () => void }[] = [];

  constructor(tools: readonly ModelTool[], behave: (call: ChatToolCall) => Promise<ChatToolOutcome>) {
    this.tools = tools;
    this.behave = behave;
  }

  list(): readonly ModelTool[] {
    return this.tools;
  }

  call(call: ChatToolCall): Promise<ChatToolOutcome> {
    this.calls.push(call);
    this.#waiters = this.#waiters.filter(({ count, tell }) => this.calls.length < count || (tell(), false));
    return this.behave(call);
  }

  untilCalls(count: number): Promise<void> {
    return this.calls.length >= count ? Promise.resolve() : new Promise((tell) => this.#waiters.push({ count, tell }));
  }
}

/** Runs at once and answers with its own arguments. */
export async function echoCall(call: ChatToolCall): Promise<ChatToolOutcome> {
  call.onStart(call.arguments);
  await Promise.resolve();
  return textResult(JSON.stringify(call.arguments));
}

/** Asks first, as the real host does, and runs only when allowed. */
export async function askingCall(call: ChatToolCall): Promise<ChatToolOutcome> {
  const answer = await call.ask(makeQuestion(`ask-${JSON.stringify(call.arguments['id'] ?? 1)}`), call.signal);
  if (answer.choice.startsWith('deny')) {
    return { kind: 'denied', byStoredAnswer: false };
  }
  return echoCall(call);
}

/** Servers that have neither resources nor prompts. */
const noContent: ChatContent = {
  gate: { verdict: () => ({ kind: 'ask', why: 'new' }), check: () => Promise.reject(new Error('There is nothing to ask about.')) },
  offers: () => Promise.resolve({ resources: [], templates: [], prompts: [] }),
  read: () => Promise.resolve({ kind: 'given', content: [] }),
  isEditor: () => false,
  identityOf: () => '',
  secretsIn: () => Promise.resolve([]),
  explain: (error) => ({ message: messageOf(error), sentence: messageOf(error) }),
};

/** A provider that plays prepared rounds. */
export class FakeProvider implements ModelProvider {
  readonly kind = 'anthropic';
  readonly isAi = true;
  readonly requests: ModelRequest[] = [];
  address = 'https://model.example';
  readonly #rounds: (() => AsyncIterable<ModelEvent>)[];

  constructor(rounds: readonly (readonly ModelEvent[] | (() => AsyncIterable<ModelEvent>))[]) {
    this.#rounds = rounds.map((round) => (typeof round === 'function' ? round : () => play(round)));
  }

  destination(): string {
    return this.address;
  }

  listModels(): Promise<[{ id: string; label: string }]> {
    return Promise.resolve([{ id: 'fake-first', label: 'Fake' }]);
  }

  stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    this.requests.push(request);
    return (
      this.#rounds.shift()?.() ??
      play([
        { kind: 'text', text: 'done' },
        { kind: 'stop', reason: 'end' },
      ])
    );
  }
}

async function* play(events: readonly ModelEvent[]): AsyncGenerator<ModelEvent> {
  for (const event of events) {
    await Promise.resolve();
    yield event;
  }
}

export interface TestChat {
  readonly session: ChatSession;
  readonly messages: ChatViewMessage[];
  readonly until: (isReached: () => boolean) => Promise<void>;
  readonly dispose: () => void;
}

export function makeChat(
  provider: ModelProvider,
  tools: ChatTools,
  options: Partial<ChatSessionOptions> & { maxRounds?: number; model?: string; thinking?: boolean } = {},
): TestChat {
  let id = 0;
  const session = new ChatSession({
    tools,
    content: noContent,
    settings: () => ({
      provider,
      model: options.model ?? 'claude-stand-in-2',
      maxTokens: 1_024,
      maxRounds: options.maxRounds ?? 25,
      thinking: options.thinking === true,
    }),
    status: () => ({ provider: { kind: provider.kind, label: 'Test', isAi: provider.isAi }, tools: [], suggestions: [] }),
    createId: () => `id-${(id += 1)}`,
    ...options,
  });
  const messages: ChatViewMessage[] = [];
  const checks = new Set<() => void>();
  const subscription = session.onMessage((message) => {
    messages.push(message);
    checks.forEach((check) => check());
  });
  const until = (isReached: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (isReached()) {
          checks.delete(check);
          resolve();
        }
      };
      checks.add(check);
      check();
    });
  const dispose = (): void => {
    session.dispose();
    subscription.dispose();
  };
  return { session, messages, until, dispose };
}

export function lastAnswer(session: ChatSession): AssistantItem {
  const item = session.conversation.items.findLast((each) => each.kind === 'assistant');
  if (item === undefined) {
    throw new Error('No answer yet.');
  }
  return item;
}

export function cards(session: ChatSession): readonly ToolCallPart[] {
  return lastAnswer(session).parts.filter((part) => part.kind === 'toolCall');
}

export function textOf(item: AssistantItem): string {
  return item.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}
