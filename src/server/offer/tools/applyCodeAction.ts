import * as z from 'zod';
import { hasCode } from '../../../base/errors.ts';
import { clientError } from '../../errors/serverErrors.ts';
import type { CallContext } from '../catalog/catalog.ts';
import type { ChangeReview, CodeActionRequest } from '../../seen/ports/actingPort.ts';
import { authorOf, reviewed, reviewedText, reviewKey, runsAnything, toReviewed } from './actingShapes.ts';
import { pathInput } from './shapes.ts';
import { defineTool } from './tool.ts';

export const applyCodeAction = defineTool({
  name: 'apply_code_action',
  title: 'Apply Code Action',
  description:
    'Applies a quick fix or refactoring of list_code_actions. The person reviews its edits as a diff; one with a command needs the role runner and is asked about.',
  input: z
    .strictObject({
      path: pathInput,
      startLine: z.int().min(1).describe('1-based'),
      endLine: z.int().min(1).describe('1-based, included'),
      title: z.string().min(1).max(2_000).describe('As list_code_actions gave it'),
    })
    .refine((value) => value.endLine >= value.startLine, { path: ['endLine'], error: 'is before startLine' }),
  output: reviewed,
  toText: reviewedText,
  annotations: runsAnything,
  role: 'editor',
  acts: true,
  call: async (request, { editor, call }) => {
    const origin = { author: authorOf(call), description: request.title };
    const key = reviewKey('apply_code_action', request);
    // The action is looked up inside the question: a retry that joins the question must not look for an action that has just been
    // applied.
    const first = await call.joinQuestion(key, async (signal): Promise<ChangeReview | { readonly command: string }> => {
      const found = await editor.acting.findCodeAction(request);
      return found.command === undefined ? editor.acting.applyCodeAction(request, found, origin, signal) : { command: found.command };
    });
    if (!('command' in first)) {
      return toReviewed(first);
    }
    const { command } = first;
    await confirmCommand(request, command, call);
    const review = await call.joinQuestion(`${key} ${command}`, (signal) =>
      editor.acting.applyCodeAction(request, { command }, origin, signal),
    );
    return toReviewed(review);
  },
});

async function confirmCommand({ path, title }: CodeActionRequest, command: string, call: CallContext): Promise<void> {
  try {
    await call.confirm({
      tool: 'apply_code_action',
      role: 'runner',
      what: { kind: 'codeAction', title, path, command },
      offersSession: false,
    });
  } catch (error) {
    if (hasCode(error, 'server.denied')) {
      throw clientError('server.commandDenied', {}, { cause: error });
    }
    throw error;
  }
}
