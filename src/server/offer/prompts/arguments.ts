import type { Completion } from '../catalog/catalog.ts';
import { completePrefix } from '../resources/pathTemplate.ts';
import type { PromptArgument } from './editorPrompt.ts';

/** A file of the workspace, completed by what is there. */
export function pathArgument(description: string): PromptArgument {
  return {
    name: 'path',
    description: `${description}. Relative to the workspace`,
    complete: ({ argument }, context) => completePrefix(argument.value, context, (path) => path),
  };
}

/** Those that begin like what was typed, whatever its case. */
export function completeTyped(values: readonly string[], typed: string): Completion {
  return { values: values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase())) };
}
