// questions/: what a person can be asked and can answer: a file for each family of questions; this file puts them together.
import * as z from 'zod';
import { formValue } from '../forms/formFields.ts';
import { appAct, showApp } from './appQuestions.ts';
import { clientAct, connectClient, ownAct } from './clientQuestions.ts';
import { role } from './rolesAndClaims.ts';
import { sampling, samplingEdit, samplingResponse } from './samplingQuestions.ts';
import { maxSecrets, sendContent, sendConversation } from './sentContent.ts';
import { elicitation, roots, signIn, startServer } from './serverQuestions.ts';
import { callToolDetail, chosenRule, seeEditor } from './toolQuestions.ts';

const choice = z.enum([
  'allow',
  'allowOnce',
  'allowSession',
  'allowWorkspace',
  'allowAlways',
  /** Allows this call, and further ones that a rule covers. */
  'allowWhen',
  'raiseRole',
  /** Allows it once, after all unsaved text was written to disk. */
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
  /** The role that a client gets; for `connectClient`. */
  role: role().optional(),
  /** The arguments as JSON text, when the person changed them; for `callTool`. */
  arguments: z.string().max(1_000_000).optional(),
  /** The answer holds for the other tools of the server too; for `callTool` with other tools. */
  allTools: z.boolean().optional(),
  /** The rule for further calls; only with the choice `allowWhen`. */
  rule: chosenRule.optional(),
  /** What the person filled in; for `elicitation` with a form. */
  form: z.record(z.string().max(1_000), formValue).optional(),
  /** The numbers of the secrets that the person wants to send as they are; for `sendContent`. All others are removed. */
  keptSecrets: z.array(z.number().int().positive()).max(maxSecrets).optional(),
  /** Whether the server is to run confined; for `startServer` where that can be chosen. */
  isConfined: z.boolean().optional(),
  /** What the person changed; for `sampling` and `samplingResponse`. */
  sampling: samplingEdit.optional(),
});
export type PersonAnswer = z.infer<typeof personAnswer>;

/** A difference to what was allowed before. `isHidden`: a secret has changed, and neither the old nor the new one is shown. */
const difference = z.object({
  field: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
  isHidden: z.boolean().optional(),
});
export type Difference = z.infer<typeof difference>;

/**
 * What a person is asked, as data. The extension host makes it, a webview shows all of it, and only the answer comes back.
 * Texts inside are already free of invisible characters and of secret values.
 */
export const questionDetail = z.discriminatedUnion('kind', [
  startServer,
  callToolDetail,
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
  showApp,
  appAct,
]);
export type QuestionDetail = z.infer<typeof questionDetail>;

export const question = z.object({
  askId: z.string(),
  detail: questionDetail,
  /** Why it is asked: for the first time, or because something has changed since the last answer. */
  why: z.enum(['new', 'changed']),
  differences: z.array(difference),
  /** The person has read and allowed exactly this definition before, so its description may stay folded. */
  isRead: z.boolean().optional(),
  choices: z.array(choice),
  /**
   * An id that calls have in common which are asked about together, as rows of one card. Each is a question of its own, answered
   * by itself or with all others.
   */
  group: z.string().optional(),
  /** The person has just asked for what the question is about, so it gets the focus. Never set for what another program caused. */
  takesFocus: z.boolean().optional(),
  /** The outside clients for which the server works while it asks this, by what they call themselves. */
  clients: z.array(z.string()).optional(),
  /** What else may have caused it, where that is not known: another of these clients, or a call of this editor. */
  unsure: z.enum(['client', 'editor']).optional(),
});
export type Question = z.infer<typeof question>;

/**
 * "Allow these N": every call of a group is allowed once. It names each row that the person saw, with its arguments where they changed
 * them, and counts only while exactly these are open.
 */
export const answerTogether = z.object({
  rows: z
    .array(personAnswer.pick({ askId: true, arguments: true }))
    .min(1)
    .max(1_000),
});
export type AnswerTogether = z.infer<typeof answerTogether>;

/** The person wants to see the definition that a start question is about, in the file where it stands. */
export const definitionToShow = z.object({ askId: z.string() });

/** The messages from the consent panel to the extension host. The panel is an editor tab with the questions that no chat caused. */
export const consentToHost = {
  ready: z.object({}),
  'consent/answer': personAnswer,
  'consent/show': definitionToShow,
} as const;

export const consentToView = {
  'consent/questions': z.object({ questions: z.array(question) }),
} as const;
