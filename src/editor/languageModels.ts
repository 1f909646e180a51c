import * as vscode from 'vscode';
import { Emitter, type Event } from '../base/events.ts';
import { isJsonObject } from '../base/json.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { ModelNameMemory } from '../chat/models/knownModels.ts';
import type { ModelMessage, ModelRequest, ModelTool } from '../chat/models/modelProvider.ts';
import type { EditorModel, EditorModelEvent, EditorModels } from '../chat/models/vscodeModels.ts';

type UserBlock = Extract<ModelMessage, { role: 'user' }>['content'][number];
type UserPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart;
type PlainBlock = Extract<UserBlock, { type: 'text' | 'image' | 'document' }>;

export interface LanguageModelsOptions {
  /** What VS Code shows when it asks the person whether Duplex may use a model. */
  readonly justification: string;
  readonly report: (error: unknown) => void;
}

/** The models that other extensions give to VS Code, which itself asks the person before the first request to each vendor. */
export class LanguageModels implements EditorModels, Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #justification: string;
  #models: readonly vscode.LanguageModelChat[] = [];

  readonly onDidChange: Event<void> = this.#changed.event;

  constructor({ justification, report }: LanguageModelsOptions) {
    this.#justification = justification;
    this.#lifetime.add(vscode.lm.onDidChangeChatModels(() => void this.list().catch(report)));
  }

  known(): readonly EditorModel[] {
    return this.#models.map(toEditorModel);
  }

  async list(): Promise<readonly EditorModel[]> {
    const before = JSON.stringify(this.known());
    this.#models = await vscode.lm.selectChatModels({});
    if (JSON.stringify(this.known()) !== before) {
      this.#changed.fire();
    }
    return this.known();
  }

  async *send(model: EditorModel, request: ModelRequest, signal: AbortSignal): AsyncGenerator<EditorModelEvent> {
    const chat = this.#find(model);
    const cancellation = cancelWith(signal);
    try {
      const response = await chat.sendRequest(
        request.messages.map(toMessage),
        { justification: this.#justification, ...toolsOf(request) },
        cancellation.token,
      );
      for await (const part of response.stream) {
        if (part instanceof vscode.LanguageModelTextPart) {
          yield { kind: 'text', text: part.value };
        } else if (part instanceof vscode.LanguageModelToolCallPart) {
          yield { kind: 'toolUse', id: part.callId, name: part.name, input: { ...part.input } };
        }
        // Other kinds may come at any time and are passed over.
      }
    } finally {
      cancellation.dispose();
    }
  }

  async countTokens(model: EditorModel, request: ModelRequest, signal: AbortSignal): Promise<number> {
    const chat = this.#find(model);
    const cancellation = cancelWith(signal);
    try {
      const counts = await Promise.all([
        ...request.messages.map((message) => chat.countTokens(toMessage(message), cancellation.token)),
        ...request.tools.map((tool) => chat.countTokens(JSON.stringify(toTool(tool)), cancellation.token)),
      ]);
      return counts.reduce((sum, count) => sum + count, 0);
    } finally {
      cancellation.dispose();
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #find({ vendor, id }: EditorModel): vscode.LanguageModelChat {
    const found = this.#models.find((each) => each.vendor === vendor && each.id === id);
    if (found === undefined) {
      throw vscode.LanguageModelError.NotFound(id);
    }
    return found;
  }
}

function toEditorModel({ vendor, id, name, maxInputTokens }: vscode.LanguageModelChat): EditorModel {
  return { vendor, id, label: name === '' ? id : name, contextTokens: maxInputTokens };
}

function toolsOf({ tools, toolChoice }: ModelRequest): vscode.LanguageModelChatRequestOptions {
  const { Auto, Required } = vscode.LanguageModelChatToolMode;
  const isOffered = tools.length > 0 && toolChoice !== 'none';
  return isOffered ? { tools: tools.map(toTool), toolMode: toolChoice === 'required' ? Required : Auto } : {};
}

function toTool({ name, description, inputSchema }: ModelTool): vscode.LanguageModelChatTool {
  return { name, description, inputSchema: { ...inputSchema, type: 'object' } };
}

function toMessage(message: ModelMessage): vscode.LanguageModelChatMessage {
  if (message.role === 'user') {
    return vscode.LanguageModelChatMessage.User(message.content.flatMap(toUserParts));
  }
  const parts = message.content.flatMap((block): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] => {
    switch (block.type) {
      case 'text':
        return [new vscode.LanguageModelTextPart(block.text)];
      case 'toolUse':
        return [new vscode.LanguageModelToolCallPart(block.id, block.name, block.input)];
      case 'opaque':
        return []; // only another provider understands it
    }
  });
  return vscode.LanguageModelChatMessage.Assistant(parts);
}

function toUserParts(block: UserBlock): UserPart[] {
  switch (block.type) {
    case 'toolResult':
      return [new vscode.LanguageModelToolResultPart(block.toolUseId, block.content.map(toPart))];
    case 'attached':
      return block.content.map(toPart);
    case 'text':
    case 'image':
    case 'document':
      return [toPart(block)];
  }
}

/** A part of a message. Where an image cannot be sent, and for other files, the model is told that something was there. */
function toPart(block: PlainBlock): vscode.LanguageModelTextPart {
  if (block.type === 'text') {
    return new vscode.LanguageModelTextPart(block.text);
  }
  if (block.type === 'image' && takesImages(vscode.version)) {
    try {
      return vscode.LanguageModelDataPart.image(Buffer.from(block.data, 'base64'), block.mimeType);
    } catch {
      // Told in words below.
    }
  }
  return new vscode.LanguageModelTextPart(`[Left out: a file (${block.mimeType.slice(0, 100)}), which this model cannot take here]`);
}

/** Whether this version of VS Code takes images in a message; it does since 1.106. */
function takesImages(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 106);
}

function cancelWith(signal: AbortSignal): { readonly token: vscode.CancellationToken } & Disposable {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) {
    cancel();
  }
  return {
    token: source.token,
    dispose: () => {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    },
  };
}

const stateName = 'duplex.chat.modelNames';
/** The most names that are kept, of all endpoints together. */
const maxNames = 400;

/**
 * Keeps the names by which people know models over a reload: a window that has asked no endpoint yet shows the name instead of
 * the id.
 */
export class ModelNames implements ModelNameMemory {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get(from: string, id: string): string | undefined {
    const name = this.#all()[keyOf(from, id)];
    return typeof name === 'string' ? name : undefined;
  }

  remember(from: string, names: ReadonlyMap<string, string>): void {
    const added = new Map([...names].map(([id, name]) => [keyOf(from, id), name]));
    const others = Object.entries(this.#all()).filter(([key]) => !added.has(key));
    const all = [...others, ...added].slice(-maxNames);
    void this.#memory.update(stateName, Object.fromEntries(all));
  }

  #all(): Readonly<Record<string, unknown>> {
    const stored = this.#memory.get<unknown>(stateName);
    return isJsonObject(stored) ? stored : {};
  }
}

/** The key of a name: the address and the id with a line break between them, which an address never has. */
function keyOf(from: string, id: string): string {
  return `${from}\n${id}`;
}
