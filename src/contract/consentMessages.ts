import * as z from 'zod';
import { definitionToShow, question } from './questions.ts';
import { personAnswer } from './questions/answers.ts';

/** The consent panel: an editor tab that shows the questions nobody's chat caused. */
export const consentToHost = {
  ready: z.object({}),
  'consent/answer': personAnswer,
  'consent/show': definitionToShow,
} as const;

export const consentToView = {
  'consent/questions': z.object({ questions: z.array(question) }),
} as const;
