// questions/: what a person can be asked and can answer: a file for each family of questions; this file puts them together.
import * as z from 'zod';
import { formValue } from '../forms/formFields.ts';
import { clientAct, connectClient, ownAct } from './clientQuestions.ts';
import { role } from './rolesAndClaims.ts';
import { sampling, samplingEdit, samplingResponse } from './samplingQuestions.ts';
import { maxSecrets, sendContent, sendConversation } from './sentContent.ts';
import { elicitation, roots, signIn, startServer } from './serverQuestions.ts';
import { callTool, seeEditor } from './toolQuestions.ts';

const choice = z.enum([
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

/** `isHidden`: a secret that is another one now; neither is shown. */
const difference = z.object({
  field: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
  isHidden: z.boolean().optional(),
});
export type Difference = z.infer<typeof difference>;

/**
 * What a person is asked, as data. The extension host makes it, a webview shows it whole, and only the answer comes back.
 * Texts inside are already free of invisible characters and of secret values.
 */
export const questionDetail = z.discriminatedUnion('kind', [
  startServer,
  callTool,
  connectClient,
  clientAct,
  ownAct,
  roots,
  sampling,
  samplingResponse,
  elicitation,
  signIn,
  sendConversation,
  seeEditor,
  sendContent,
]);
export type QuestionDetail = z.infer<typeof questionDetail>;

export const question = z.object({
  askId: z.string(),
  detail: questionDetail,
  /** Why it is asked: first time, or something changed since the last answer. */
  why: z.enum(['new', 'changed']),
  differences: z.array(difference),
  /** The person has read this very definition before and allowed it, so that its description may stay folded. */
  isRead: z.boolean().optional(),
  choices: z.array(choice),
  /** The person has just asked for what it is about, so the focus goes to it. Never set for what another program caused. */
  takesFocus: z.boolean().optional(),
});
export type Question = z.infer<typeof question>;

/** The person wants to see what a start question is about in the file where it is configured. */
export const definitionToShow = z.object({ askId: z.string() });

/** The consent panel: an editor tab that shows the questions nobody's chat caused. */
export const consentToHost = {
  ready: z.object({}),
  'consent/answer': personAnswer,
  'consent/show': definitionToShow,
} as const;

export const consentToView = {
  'consent/questions': z.object({ questions: z.array(question) }),
} as const;
