import type { AppError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import { clientError } from '../../errors/serverErrors.ts';
import type { Completion, CompletionRequest, Prompt } from '../catalog/catalog.ts';
import { completePrefix } from '../resources/pathTemplate.ts';
import type { EditorCall, EditorFor } from '../tools/tool.ts';

export type PromptArguments = Readonly<Record<string, string>>;

/** A prompt that is not yet bound to an editor. */
export interface EditorPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Returns the parts of the message for the model, in order: our own sentences, and resources of the editor as they are now. */
  compose(args: PromptArguments, context: EditorCall): Promise<readonly PromptPart[]>;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly isRequired?: boolean | undefined;
  /** All allowed values; without them any text is allowed. */
  readonly values?: readonly string[] | undefined;
  complete?(request: CompletionRequest, context: EditorCall): Promise<Completion> | Completion;
}

/** A content item of a prompt message, in the newest revision. */
export type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'resource'; readonly resource: { readonly uri: string; readonly mimeType: string; readonly text: string } };

export function textPart(...sentences: readonly string[]): PromptPart {
  return { type: 'text', text: sentences.filter((sentence) => sentence !== '').join('\n') };
}

/** Binds a prompt to the editor, as each client may see it. */
export function bindPrompt(prompt: EditorPrompt, editorFor: EditorFor): Prompt {
  const { name, title, description } = prompt;
  const listed = prompt.arguments.map((argument) => ({
    name: argument.name,
    description: argument.description,
    required: argument.isRequired ?? false,
  }));
  return {
    name,
    listing: { name, title, description, arguments: listed },
    get: async (args, call): Promise<JsonObject> => {
      checkArguments(prompt, args);
      const parts = await prompt.compose(args, { editor: editorFor(call.viewer), call });
      return { description, messages: parts.map((content) => ({ role: 'user', content })) };
    },
  };
}

function checkArguments(prompt: EditorPrompt, args: PromptArguments): void {
  for (const name of Object.keys(args)) {
    if (!prompt.arguments.some((argument) => argument.name === name)) {
      throw badPromptArguments(name, 'unknown argument');
    }
  }
  for (const { name, isRequired = false, values } of prompt.arguments) {
    const value = args[name];
    if (isRequired && (value === undefined || value === '')) {
      throw badPromptArguments(name, 'is required');
    }
    if (value !== undefined && value !== '' && values?.includes(value) === false) {
      throw badPromptArguments(name, `expected one of ${values.join(', ')}`);
    }
  }
}

/** An argument that names a file of the workspace; existing paths are offered as completions. */
export function pathArgument(description: string): PromptArgument {
  return {
    name: 'path',
    description: `${description}. Relative to the workspace`,
    complete: ({ argument }, context) => completePrefix(argument.value, context, (path) => path),
  };
}

/** Returns the values that begin with the typed text, in upper or lower case. */
export function completeTyped(values: readonly string[], typed: string): Completion {
  return { values: values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase())) };
}

/** The error for a missing or wrong argument of a prompt; it becomes JSON-RPC error -32602. */
export function badPromptArguments(parameter: string, reason: string): AppError {
  return clientError('server.badPromptArguments', { parameter, reason });
}
