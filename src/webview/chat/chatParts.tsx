import { Late } from '../../base/late.ts';
import type { JSX } from 'preact';
import type { Question } from '../../contract/questions/questions.ts';
import type { AppCardProps } from './apps/appCard.tsx';
import type { AttachmentFormProps } from './composer/attachmentForm.tsx';
import type { EditReviewCardProps } from './messages/editReviewCard.tsx';
import type { MarkdownProps } from '../markdown/markdown.tsx';
import type { QuestionCardProps } from '../question/questionCard.tsx';
import type { TogetherCardProps } from '../question/togetherCard.tsx';
import { t } from '../shared/localize.ts';
import { usePart } from '../shared/page.tsx';
import { PlainText } from '../shared/plainText.tsx';

/** Code that the first drawing does not need: an empty chat has neither Markdown nor cards nor forms. */
const markdownPart = new Late(() => import('../markdown/markdown.tsx'));
const questionPart = new Late(async () => {
  const [card, together, texts] = await Promise.all([
    import('../question/questionCard.tsx'),
    import('../question/togetherCard.tsx'),
    import('../question/details/questionTexts.ts'),
  ]);
  return { QuestionCard: card.QuestionCard, TogetherCard: together.TogetherCard, questionTitle: texts.questionTitle };
});

const reviewPart = new Late(() => import('./messages/editReviewCard.tsx'));

/** Loaded with the first app, which most chats never have. */
const appPart = new Late(() => import('./apps/appCard.tsx'));

const formPart = new Late(() => import('./composer/attachmentForm.tsx'));

/** Draws Markdown; until its code is there, the plain text. */
export function LazyMarkdown(props: MarkdownProps): JSX.Element {
  const part = usePart(markdownPart);
  return part === undefined ? (
    <div class="markdown">
      <p class="unread">
        <PlainText text={props.text} />
      </p>
    </div>
  ) : (
    <part.Markdown {...props} />
  );
}

/** Draws a question; until its code is there, nothing, so that nobody answers half a question. */
export function LazyQuestionCard(props: QuestionCardProps): JSX.Element | null {
  const part = usePart(questionPart);
  return part === undefined ? null : <part.QuestionCard {...props} />;
}

/** Draws several calls of one turn as one card. */
export function LazyTogetherCard(props: TogetherCardProps): JSX.Element | null {
  const part = usePart(questionPart);
  return part === undefined ? null : <part.TogetherCard {...props} />;
}

/** Draws a change that waits for the person; until its code is there, nothing, as with a question. */
export function LazyEditReviewCard(props: EditReviewCardProps): JSX.Element | null {
  const part = usePart(reviewPart);
  return part === undefined ? null : <part.EditReviewCard {...props} />;
}

/** Draws the page of a tool; until its code is there, nothing. */
export function LazyAppCard(props: AppCardProps): JSX.Element | null {
  const part = usePart(appPart);
  return part === undefined ? null : <part.AppCard {...props} />;
}

export function LazyAttachmentForm(props: AttachmentFormProps): JSX.Element | null {
  const part = usePart(formPart);
  return part === undefined ? null : <part.AttachmentForm {...props} />;
}

/** Announces a question to people who cannot see the card appear, wherever the focus is. */
export function Announcement({ questions: [first] }: { readonly questions: readonly Question[] }): JSX.Element {
  const part = usePart(questionPart);
  return (
    <div class="screen-reader-only" role="alert">
      {first === undefined || part === undefined ? '' : t('A permission question is waiting for you: {0}.', part.questionTitle(first))}
    </div>
  );
}

/** Whether open questions are drawn by now and can take the focus. */
export function drawsQuestions(): boolean {
  return questionPart.made !== undefined;
}

/** Loads all of this code; called after the first drawing, so that nobody waits for it later. */
export async function loadParts(): Promise<void> {
  await Promise.allSettled([markdownPart.get(), questionPart.get(), reviewPart.get(), formPart.get()]);
}
