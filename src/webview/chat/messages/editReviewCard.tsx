import type { JSX, RefObject } from 'preact';
import { useContext, useId, useRef } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { DiffLine, EditReview, ReviewedFile } from '../../../contract/chat/editReview.ts';
import { onCardKey, useDenying } from '../../question/answering.ts';
import { answerRow, useArming } from '../../question/arming.ts';
import { endMark, MoreToRead, type Reading, type ReadingOfCard, useReading } from '../../question/reading.tsx';
import { Icon } from '../../shared/elements.tsx';
import { plural } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { useExpiring } from '../../shared/timers.ts';
import { wholeText } from '../../shared/wholeText.ts';
import { BudgetActionsContext } from '../chatIntents.ts';
import { PathText } from './callWords.tsx';

/** How long, in ms, the buttons stay disabled after an answer, should the host not take the change away. */
const answerGrace = 4000;

export interface EditReviewCardProps {
  readonly review: EditReview;
  /** A text that changes whenever questions come or go: see `useArming`. */
  readonly generation: string;
}

/** A change that a call proposed: its files with their diffs, and the answers. The same change waits in the editor, too. */
export function EditReviewCard({ review, generation }: EditReviewCardProps): JSX.Element {
  const card = useRef<HTMLDivElement>(null);
  const answering = useReviewAnswers(card, review, generation);
  const title = reviewTitle(openFiles(review).length);
  return (
    <div ref={card} class="question edit-review" role="group" aria-label={title} tabIndex={-1} onKeyDown={answering.onKeyDown}>
      <Title text={title} />
      <div class="question-body">
        <ul class="review-files">
          {review.files.map((file, index) => (
            <File key={index} file={file} />
          ))}
        </ul>
        <Answers answering={answering} />
      </div>
    </div>
  );
}

function openFiles({ files }: EditReview): readonly ReviewedFile[] {
  return files.filter(({ answer }) => answer === undefined);
}

interface ReviewAnswers extends Pick<ReadingOfCard, 'reading' | 'goOn'> {
  /** Whether some of the change can be read in the editor alone, and was not yet. */
  readonly isLeftToEditor: boolean;
  readonly isBlocked: boolean;
  /** What is to be said right now: what the next Escape does. */
  readonly note: string | undefined;
  readonly accept: (event: Event) => void;
  readonly reject: () => void;
  readonly open: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** How far somebody has to read in the card of what they read in the editor instead. */
const readElsewhere: Reading = { kind: 'whole', hadMore: false };

/** How the card is answered: whether Accept counts by now, and what a press and a key do. */
function useReviewAnswers(card: RefObject<HTMLElement | null>, review: EditReview, generation: string): ReviewAnswers {
  const { acceptReview, rejectReview, openReview } = useContext(BudgetActionsContext);
  const { isArmed, takes } = useArming(card, `${generation} ${review.id}`);
  const { reading, goOn } = useReading(card, review.id);
  const [isAnswered, markAnswered] = useExpiring(answerGrace);
  const denying = useDenying();
  const isTooLong = openFiles(review).some((file) => file.isTooLong === true);
  const isRead = reading.kind === 'whole' && !isTooLong;
  const isSeen = isRead || review.isSeenInEditor;
  const open = (): void => openReview(review.id);
  const reject = (): void => rejectReview(review.id);
  return {
    reading: isTooLong || review.isSeenInEditor ? readElsewhere : reading,
    goOn,
    isLeftToEditor: isTooLong && !review.isSeenInEditor,
    isBlocked: !isSeen || !isArmed || isAnswered,
    note: denying.note,
    accept: (event) => {
      if (!isSeen) {
        // Whoever presses it wants to go on: what is missing comes into view.
        (reading.kind === 'whole' ? open : goOn)();
      } else if (isArmed && !isAnswered && takes(event)) {
        markAnswered();
        acceptReview(review.id, isRead);
      }
    },
    reject,
    open,
    onKeyDown: (event) => onCardKey(event, { onDeny: () => denying.press(reject) }),
  };
}

function Title({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="question-title" role="heading" aria-level={2}>
      <Icon name="diff-multiple" tone="warning" />
      <span>{text}</span>
    </div>
  );
}

function Answers({ answering }: { readonly answering: ReviewAnswers }): JSX.Element {
  const { reading, goOn, isLeftToEditor, isBlocked, note, accept, reject, open } = answering;
  const [moreId, editorId] = [useId(), useId()];
  return (
    <div class="question-answers">
      {isLeftToEditor && (
        <p id={editorId} class="review-note">
          {t('Too long to show here: open the diff and look at it to its end.')}
        </p>
      )}
      <MoreToRead id={moreId} reading={reading} note={note} onGoOn={goOn} />
      <div class="screen-reader-only" role="status">
        {note}
      </div>
      <div class="button-row" data-covers="" {...answerRow}>
        <button
          type="button"
          class="button is-primary"
          aria-disabled={isBlocked}
          aria-describedby={`${editorId} ${moreId}`}
          onClick={accept}
        >
          {t('Accept')}
        </button>
        <button type="button" class="button is-secondary" aria-keyshortcuts="Escape" onClick={reject}>
          {t('Reject')}
        </button>
        <button type="button" class="button is-quiet" onClick={open}>
          {t('Open diff')}
        </button>
      </div>
    </div>
  );
}

function reviewTitle(files: number): string {
  return plural(
    files,
    () => t('Waiting for you: a change to 1 file'),
    (count) => t('Waiting for you: a change to {0} files', count),
  );
}

function File({ file }: { readonly file: ReviewedFile }): JSX.Element {
  const path = revealInvisible(file.path);
  const word = file.answer === 'accepted' ? t('accepted') : file.answer === 'rejected' ? t('rejected') : changeWord(file);
  return (
    <li class="review-file">
      <div class="review-path" title={path}>
        <PathText path={path} />
        <span class="review-counts">
          <span class="is-added">+{file.added}</span> <span class="is-removed">−{file.removed}</span>
        </span>
        {word !== '' && <span class="secondary">{word}</span>}
      </div>
      {file.newPath !== undefined && <p class="review-target">→ {revealInvisible(file.newPath)}</p>}
      {file.answer === undefined && file.diff !== undefined && (
        <pre class="review-diff" aria-label={t('Changes of {0}', path)}>
          {chunksOf(file.diff).map((lines, index) => (
            <div key={index} class="review-chunk">
              {lines.map(drawLine)}
              <div {...endMark} />
            </div>
          ))}
        </pre>
      )}
    </li>
  );
}

/** How many lines have a mark that has to be in view: a chat opens at its end, where the beginning of a long diff is not. */
const linesPerMark = 6;

function chunksOf(lines: readonly DiffLine[]): readonly (readonly DiffLine[])[] {
  const count = Math.ceil(lines.length / linesPerMark);
  return Array.from({ length: count }, (_, index) => lines.slice(index * linesPerMark, (index + 1) * linesPerMark));
}

function changeWord({ change, cell }: ReviewedFile): string {
  switch (change) {
    case 'create':
      return t('new');
    case 'delete':
      return t('deleted');
    case 'move':
      return t('moved');
    case 'cell':
      return t('cell {0}', (cell ?? 0) + 1);
    case 'change':
      return '';
  }
}

function drawLine({ kind, text }: DiffLine, index: number): JSX.Element {
  switch (kind) {
    case 'gap':
      return (
        <span key={index} class="review-gap">
          ⋯{'\n'}
        </span>
      );
    case 'added':
      return (
        <ins key={index}>
          + {wholeText(text)}
          {'\n'}
        </ins>
      );
    case 'removed':
      return (
        <del key={index}>
          − {wholeText(text)}
          {'\n'}
        </del>
      );
    case 'same':
      return (
        <span key={index}>
          {'  '}
          {wholeText(text)}
          {'\n'}
        </span>
      );
  }
}
