import type { JSX } from 'preact';
import { revealInContent } from '../../base/visibleText.ts';
import type { Question } from '../../contract/questions/questions.ts';
import type { MarkdownProps } from '../markdown/markdown.tsx';
import type { QuestionCardProps } from '../question/questionCard.tsx';
import { t } from '../shared/localize.ts';
import { PagePart, usePart } from '../shared/page.tsx';

/** What the page draws without: an empty chat needs neither Markdown nor a card. */
const markdownPart = new PagePart(() => import('../markdown/markdown.tsx'));
const questionPart = new PagePart(async () => {
  const [card, texts] = await Promise.all([import('../question/questionCard.tsx'), import('../question/questionTexts.ts')]);
  return { QuestionCard: card.QuestionCard, questionTitle: texts.questionTitle };
});

/** Text stands as it is until it can be drawn as Markdown. */
export function LazyMarkdown(props: MarkdownProps): JSX.Element {
  const part = usePart(markdownPart);
  return part === undefined ? (
    <div class="markdown">
      <p class="unread">{revealInContent(props.text)}</p>
    </div>
  ) : (
    <part.Markdown {...props} />
  );
}

/** Nothing can be answered before all of the question is there. */
export function LazyQuestionCard(props: QuestionCardProps): JSX.Element | null {
  const part = usePart(questionPart);
  return part === undefined ? null : <part.QuestionCard {...props} />;
}

/** Said at once to people who cannot see the card appear, wherever the focus is. */
export function Announcement({ questions: [first] }: { readonly questions: readonly Question[] }): JSX.Element {
  const part = usePart(questionPart);
  return (
    <div class="screen-reader-only" role="alert">
      {first === undefined || part === undefined ? '' : t('A permission question is waiting for you: {0}.', part.questionTitle(first))}
    </div>
  );
}

/** Whether an open question is on the page by now, and can take the focus. */
export function drawsQuestions(): boolean {
  return questionPart.loaded !== undefined;
}

/** To be called after the first drawing, so that nobody waits for them later. */
export async function loadParts(): Promise<void> {
  await Promise.all([markdownPart.load(), questionPart.load()]);
}
