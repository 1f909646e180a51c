import { AppError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/events.ts';
import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import type {
  CallContext,
  Catalog,
  CatalogPart,
  Completion,
  Prompt,
  Resource,
  Tool,
  ToolOutcome,
} from '../../../../src/server/offer/catalog/catalog.ts';
import { badPromptArguments } from '../../../../src/server/offer/prompts/editorPrompt.ts';

type Run = (args: JsonObject, call: CallContext) => Promise<ToolOutcome> | ToolOutcome;

/** A catalog that has something of everything, so that the protocol can be looked at without an editor. */
export class ProtocolCatalog implements Catalog {
  readonly instructions = 'Made for tests.';
  readonly didChange = new Emitter<CatalogPart>();
  readonly onDidChange = this.didChange.event;
  readonly didChangeResource = new Emitter<void>();
  readonly templates = [{ uriTemplate: 'test://{name}', name: 'any', title: 'Any', mimeType: 'text/plain' }];
  /** What `hold` waits for, and the call it holds. */
  held: CallContext | undefined;
  release: (() => void) | undefined;
  /** How many resources there are to list. */
  resources = 3;

  readonly tools: readonly Tool[] = [
    tool('echo', (args) => ({ kind: 'output', output: args })),
    tool('rich', () => ({ kind: 'result', result: richResult })),
    tool('fail', () => {
      throw new AppError('test.failed', 'It did not work.');
    }),
    tool('hold', (_args, call) => this.#hold(call)),
    tool('report', (_args, call) => {
      call.reportProgress(1, 'half', 2);
      call.log('debug', 'chatter');
      call.log('warning', { hot: true }, 'oven');
      return said('reported');
    }),
    tool('ask', (_args, { inputResponses, requestState }) =>
      inputResponses.name === undefined
        ? { kind: 'inputRequired', requests: { name: nameForm }, state: { step: 1 } }
        : said(`${JSON.stringify(inputResponses.name)} ${JSON.stringify(requestState)}`),
    ),
    tool('insist', () => ({ kind: 'inputRequired', requests: { name: nameForm } })),
    tool('job', (_args, call) => this.#hold(call), 'optional'),
    tool(
      'askingJob',
      (_args, { inputResponses }) =>
        inputResponses.name === undefined ? { kind: 'inputRequired', requests: { name: nameForm } } : said('named'),
      'optional',
    ),
    tool('onlyJob', () => said('done'), 'required'),
  ];

  readonly prompts: readonly Prompt[] = [
    {
      name: 'greet',
      listing: { name: 'greet', title: 'Greet', arguments: [{ name: 'who', title: 'Who', required: true }] },
      get: async ({ who }) => {
        if (who === undefined) {
          throw badPromptArguments('who', 'is missing');
        }
        return { messages: [{ role: 'user', content: { type: 'text', text: `Hello, ${who}` } }] };
      },
    },
  ];

  findTool(name: unknown): Tool | undefined {
    return this.tools.find((each) => each.name === name);
  }

  findPrompt(name: unknown): Prompt | undefined {
    return this.prompts.find((each) => each.name === name);
  }

  listResources(): readonly JsonObject[] {
    return Array.from({ length: this.resources }, (_item, index) => ({ uri: `test://${index}`, name: String(index), title: 'T' }));
  }

  findResource(uri: string): Resource | undefined {
    if (!uri.startsWith('test://')) {
      return undefined;
    }
    const look = (): void => {
      if (uri === 'test://gone') {
        throw new AppError('editor.pathNotFound', 'There is no "gone" in this workspace.');
      }
    };
    return {
      uri,
      role: uri === 'test://terminal' ? 'runner' : 'reader',
      paths: [],
      read: () => {
        look();
        return { kind: 'text', text: 'content', mimeType: 'text/plain' };
      },
      check: look,
      changes: this.didChangeResource.event,
    };
  }

  complete(): Promise<Completion> {
    return Promise.resolve({ values: Array.from({ length: 150 }, (_item, index) => `value ${index}`), total: 150 });
  }

  #hold(call: CallContext): Promise<ToolOutcome> {
    this.held = call;
    return new Promise((resolve, reject) => {
      this.release = () => resolve(said('released'));
      call.signal.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    });
  }

  /** Resolves once a call is held. */
  async untilHeld(): Promise<CallContext> {
    while (this.held === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return this.held;
  }
}

const nameForm = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
} as const;

const richResult: JsonObject = {
  content: [
    { type: 'text', text: 'x' },
    { type: 'audio', data: '', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'test://1', name: 'one' },
  ],
  structuredContent: { ok: true },
};

function said(text: string): ToolOutcome {
  return { kind: 'result', result: { content: [{ type: 'text', text }] } };
}

function tool(name: string, run: Run, taskSupport?: Tool['taskSupport']): Tool {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' }, region: { type: 'string', 'x-mcp-header': 'Region' } } };
  const listing = {
    name,
    title: name,
    description: name,
    inputSchema,
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    icons: [],
    execution: { taskSupport: taskSupport ?? 'forbidden' },
  };
  return {
    name,
    role: 'reader',
    acts: false,
    asks: 'role',
    taskSupport,
    listing,
    prepare: (args) => {
      const given = isJsonObject(args) ? args : {};
      return given.text !== undefined && typeof given.text !== 'string'
        ? { kind: 'badArguments', parameter: 'text', reason: 'expected a string' }
        : { kind: 'ready', paths: [], run: (call) => run(given, call) };
    },
  };
}
