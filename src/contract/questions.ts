import * as z from 'zod';
import { choice } from './questions/answers.ts';
import { clientAct, connectClient, ownAct } from './questions/clientQuestions.ts';
import { sendContent, sendConversation } from './questions/contentQuestions.ts';
import { elicitation, roots, signIn } from './questions/requestQuestions.ts';
import { sampling, samplingResponse } from './questions/samplingQuestions.ts';
import { startServer } from './questions/startQuestion.ts';
import { callTool, seeEditor } from './questions/toolQuestions.ts';

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
