import { isAbort, messageOf, type AppError } from '../../base/errors.ts';
import { modelError } from './modelErrors.ts';
import { modelLabel, vscodeModelName } from './knownModels.ts';
import type { ModelEvent, ModelInfo, ModelMessage, ModelProvider, ModelRequest } from './modelProvider.ts';

/** A language model that another extension contributes to VS Code. */
export interface EditorModel {
  readonly vendor: string;
  readonly id: string;
  readonly label: string;
  readonly contextTokens: number;
}

export type EditorModelEvent = Extract<ModelEvent, { kind: 'text' | 'toolUse' }>;

/** The port to VS Code's language models. Failures carry VS Code's own code. */
export interface EditorModels {
  /** The models that are known at the moment, without waiting. */
  known(): readonly EditorModel[];
  list(): Promise<readonly EditorModel[]>;
  send(model: EditorModel, request: ModelRequest, signal: AbortSignal): AsyncIterable<EditorModelEvent>;
  countTokens(model: EditorModel, request: ModelRequest, signal: AbortSignal): Promise<number>;
}

/** The provider for VS Code's language models. They have no system role, and do not tell how many tokens were used. */
export class VscodeProvider implements ModelProvider {
  readonly kind = 'vscode';
  readonly isAi = true;
  readonly #models: EditorModels;

  constructor(models: EditorModels) {
    this.#models = models;
  }

  /** Names who gets the requests to a model: the extension that contributes it. */
  destination(model = ''): string {
    return `VS Code: ${this.#find(model)?.vendor ?? 'language models'}`;
  }

  async listModels(): Promise<readonly ModelInfo[]> {
    return (await this.#models.list()).map((model) => ({
      id: vscodeModelName(model),
      label: modelLabel(model.label),
      contextTokens: model.contextTokens,
    }));
  }

  async countTokens(request: ModelRequest, signal: AbortSignal): Promise<number> {
    try {
      return await this.#models.countTokens(this.#get(request), withSystem(request), signal);
    } catch (error) {
      throw isAbort(error) ? error : toAppError(error, request.model);
    }
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const model = this.#get(request);
    let usesTools = false;
    try {
      for await (const event of this.#models.send(model, withSystem(request), signal)) {
        usesTools ||= event.kind === 'toolUse';
        yield event;
      }
    } catch (error) {
      throw isAbort(error) || signal.aborted ? error : toAppError(error, modelLabel(model.label));
    }
    yield { kind: 'stop', reason: usesTools ? 'toolUse' : 'end' };
  }

  #get(request: ModelRequest): EditorModel {
    const model = this.#find(request.model);
    if (model === undefined) {
      throw modelError('model.notFound', { model: request.model });
    }
    if (request.destination !== undefined && request.destination !== this.destination(request.model)) {
      throw modelError('chat.destinationChanged');
    }
    return model;
  }

  /** Finds a model by the name in the setting; '' stands for the first. */
  #find(name: string): EditorModel | undefined {
    const models = this.#models.known();
    return name === '' ? models[0] : models.find((each) => vscodeModelName(each) === name);
  }
}

/** Puts the system prompt into a first message of its own. */
function withSystem(request: ModelRequest): ModelRequest {
  const first: ModelMessage = { role: 'user', content: [{ type: 'text', text: request.system }] };
  return request.system.trim() === '' ? request : { ...request, system: '', messages: [first, ...request.messages] };
}

const byCode = { NoPermissions: 'model.vscodeNoPermission', Blocked: 'model.vscodeBlocked' } as const;

function toAppError(error: unknown, model: string): AppError {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const detail = messageOf(error).slice(0, 1_000);
  if (code === 'NotFound') {
    return modelError('model.notFound', { model }, { detail });
  }
  const known = code === 'NoPermissions' || code === 'Blocked' ? byCode[code] : 'model.vscodeFailed';
  return modelError(known, {}, { detail });
}
