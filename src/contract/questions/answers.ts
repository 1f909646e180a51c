// questions/: what a person can be asked and can answer, a file for each family of questions; questions.ts beside this folder puts
// them together.
import * as z from 'zod';
import { formValue } from '../formFields.ts';
import { maxSecrets } from '../sentContent.ts';
import { role } from './role.ts';
import { samplingEdit } from './samplingQuestions.ts';

export const choice = z.enum([
  'allow',
  'allowOnce',
  'allowSession',
  'allowWorkspace',
  'allowAlways',
  'raiseRole',
  /** Once, and all unsaved text is written to disk before. */
  'saveAndRun',
  'deny',
  'denyAlways',
  'cancel',
  'newConversation',
]);
export type Choice = z.infer<typeof choice>;

export const personAnswer = z.object({
  askId: z.string(),
  choice,
  /** For `connectClient`. */
  role: role().optional(),
  /** For `callTool`, when the person changed them: JSON text. */
  arguments: z.string().max(1_000_000).optional(),
  /** For `callTool` with other tools: the answer is meant for them too. */
  allTools: z.boolean().optional(),
  /** For `elicitation` with a form. */
  form: z.record(z.string().max(1_000), formValue).optional(),
  /** For `sendContent`: the secrets that the person wants to send as they are, by number. All others are removed. */
  keptSecrets: z.array(z.number().int().positive()).max(maxSecrets).optional(),
  /** For `sampling` and `samplingResponse`. */
  sampling: samplingEdit.optional(),
});
export type PersonAnswer = z.infer<typeof personAnswer>;
