// prompts/: ready-made requests that a person picks in their client, with what they need embedded. This file lists them.
import type { Completion, CompletionRequest } from '../catalog/catalog.ts';
import type { EditorCall } from '../tools/tool.ts';
import type { EditorPrompt } from './editorPrompt.ts';
import { explainSelection } from './explainSelection.ts';
import { fixDiagnostics } from './fixDiagnostics.ts';
import { reviewChanges } from './reviewChanges.ts';
import { triageTestFailure } from './triageTestFailure.ts';
import { writeTests } from './writeTests.ts';

/** Published names: additive only. */
export const prompts: readonly EditorPrompt[] = [fixDiagnostics, explainSelection, reviewChanges, triageTestFailure, writeTests];

export function completeArgument(prompt: string, request: CompletionRequest, context: EditorCall): Promise<Completion> | Completion {
  const argument = prompts.find(({ name }) => name === prompt)?.arguments.find(({ name }) => name === request.argument.name);
  return argument?.complete?.(request, context) ?? { values: [] };
}
