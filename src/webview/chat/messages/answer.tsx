import { Fragment, type JSX } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { EditsPart } from '../../../contract/chat/answerParts.ts';
import type { AssistantItem, ChatError, ChatPart, ToolCallPart } from '../../../contract/chat/chatState.ts';
import type { Question } from '../../../contract/questions/questions.ts';
import { AnswerContext } from '../../shared/pageActions.tsx';
import { Icon } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import { PlainText, shortened, useMany } from '../../shared/plainText.tsx';
import type { ChatIntents, GiveAnswer } from '../chatIntents.ts';
import { CompactionMark, Interrupted, Thinking, TurnTimeline, Usage, Waiting } from './answerParts.tsx';
import { AnswerActions } from './answerActions.tsx';
import { LazyMarkdown, LazyQuestionCard, LazyTogetherCard } from '../chatParts.tsx';
import { ContentCard } from './contentCard.tsx';
import { EditsCard } from './editsCard.tsx';
import { ToolCall } from './toolCall.tsx';

/** About how many elements a part is made of, without its text. */
const partWeight = 20;

export interface AnswerProps {
  readonly item: AssistantItem;
  readonly generation: string;
  readonly isLast: boolean;
  readonly intents: ChatIntents;
  readonly onAnswer: GiveAnswer;
}

export function Answer({ item, generation, isLast, intents, onAnswer }: AnswerProps): JSX.Element {
  const edits = item.parts.find((part) => part.kind === 'edits');
  const { parts } = item;
  const streamed = useMany(
    useMemo(() => parts.filter((part) => part.kind !== 'edits'), [parts]),
    partWeight,
  );
  const together = useTogether(parts);
  return (
    <article class="message is-assistant" aria-label={t('Assistant')} aria-busy={item.state === 'streaming'}>
      <AnswerContext.Provider value={item.state === 'streaming' ? undefined : item.id}>
        {streamed.map((part) => (
          <Fragment key={part.id}>
            {part.id === together.at && <LazyTogetherCard questions={together.questions} generation={generation} onAnswer={onAnswer} />}
            {!together.parts.includes(part) && (
              <Part
                part={part}
                isRunning={item.state === 'streaming'}
                isStreaming={isOpenText(item, part)}
                generation={generation}
                intents={intents}
                onAnswer={onAnswer}
              />
            )}
          </Fragment>
        ))}
      </AnswerContext.Provider>
      <TurnTimeline item={item} />
      {isThinking(item) && (
        <div class="thinking secondary">
          <Icon name="loading" spin />
          {t('Working…')}
        </div>
      )}
      {item.state === 'stopped' && item.error === undefined && (
        <div class="note secondary">
          <Icon name="debug-stop" />
          {t('You stopped this answer.')}
        </div>
      )}
      {item.state === 'interrupted' && <Interrupted canAct={isLast} intents={intents} />}
      {item.error !== undefined && <Ending error={item.error} canAct={isLast} intents={intents} />}
      {item.state !== 'streaming' && <Usage usage={item.usage} cost={item.cost} />}
      {edits !== undefined && <EditsCard itemId={item.id} part={edits} intents={intents} />}
      <AnswerActions item={item} isLast={isLast} intents={intents} />
    </article>
  );
}

interface PartProps extends Pick<AnswerProps, 'generation' | 'intents' | 'onAnswer'> {
  readonly part: Exclude<ChatPart, EditsPart>;
  readonly isRunning: boolean;
  readonly isStreaming: boolean;
}

/** Whether a part is the text at the end of a running answer, to which more may be added. */
function isOpenText({ state, parts }: AssistantItem, part: ChatPart): boolean {
  return state === 'streaming' && part === parts.findLast(({ kind }) => kind !== 'edits');
}

function Part({ part, isRunning, isStreaming, generation, intents, onAnswer }: PartProps): JSX.Element {
  switch (part.kind) {
    case 'text':
      return <LazyMarkdown text={part.text} isStreaming={isStreaming} />;
    case 'toolCall':
      return (
        <ToolCall part={part} generation={part.question === undefined && part.review === undefined ? '' : generation} onAnswer={onAnswer} />
      );
    case 'question':
      return (
        <LazyQuestionCard key={part.question.askId} question={part.question} from="chat" generation={generation} onAnswer={onAnswer} />
      );
    case 'content':
      return <ContentCard part={part} generation={part.question === undefined ? '' : generation} onAnswer={onAnswer} />;
    case 'compaction':
      return <CompactionMark part={part} />;
    case 'thinking':
      return <Thinking part={part} isRunning={isRunning} />;
    case 'waiting':
      return <Waiting part={part} intents={intents} />;
    case 'notice':
      return (
        <div class="note secondary">
          <Icon name="info" />
          <span>{revealInvisible(shortened(part.text))}</span>
        </div>
      );
  }
}

/** Whether the model is at work while nothing on the page shows it. */
function isThinking({ state, parts }: AssistantItem): boolean {
  const last = parts.findLast(({ kind }) => kind !== 'edits');
  if (state !== 'streaming') {
    return false;
  }
  return (
    last === undefined ||
    last.kind === 'notice' ||
    (last.kind === 'compaction' && last.state !== 'running') ||
    (last.kind === 'thinking' && last.elapsedMs !== undefined) ||
    (last.kind === 'toolCall' && last.state !== 'running' && last.state !== 'waiting') ||
    (last.kind === 'content' && last.state !== 'reading' && last.state !== 'waiting') ||
    (last.kind === 'text' && last.text === '')
  );
}

interface EndingProps {
  readonly error: ChatError;
  readonly canAct: boolean;
  readonly intents: ChatIntents;
}

/** How an answer ended early. One that can be continued has not failed: it says in a neutral voice that it paused. */
function Ending(props: EndingProps): JSX.Element {
  return props.error.action === 'continue' ? <PauseNote {...props} /> : <ErrorNote {...props} />;
}

function PauseNote({ error, canAct, intents }: EndingProps): JSX.Element {
  return (
    <div class="pause-note">
      <div class="note secondary">
        <Icon name="debug-pause" />
        <span>{revealInvisible(shortened(error.message))}</span>
      </div>
      {canAct && (
        <div class="button-row">
          <ErrorAction action="continue" intents={intents} />
        </div>
      )}
    </div>
  );
}

function ErrorNote({ error, canAct, intents }: EndingProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div class="error-note">
      <div class="error-line">
        <Icon name="error" tone="error" />
        <span>{revealInvisible(shortened(error.message))}</span>
      </div>
      <div class="button-row">
        {canAct && error.action !== undefined && <ErrorAction action={error.action} intents={intents} />}
        {canAct && error.action === 'chooseModel' && <ErrorAction action="retry" intents={intents} isQuiet />}
        {error.detail !== undefined && (
          <button type="button" class="button is-quiet" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
            {t('Details')}
          </button>
        )}
      </div>
      {error.detail !== undefined && (
        <pre id={id} class="plain" hidden={!isOpen} tabIndex={0} role="group" aria-label={t('Details')}>
          <PlainText text={error.detail} />
        </pre>
      )}
    </div>
  );
}

function ErrorAction({
  action,
  intents,
  isQuiet = false,
}: {
  readonly action: NonNullable<ChatError['action']>;
  readonly intents: ChatIntents;
  readonly isQuiet?: boolean;
}): JSX.Element {
  const actions = {
    retry: { label: t('Retry'), run: () => intents.retry() },
    setApiKey: { label: t('Set API key…'), run: () => intents.setApiKey() },
    chooseModel: { label: t('Choose a model…'), run: () => intents.chooseModel() },
    continue: { label: t('Continue'), run: () => intents.retry() },
  };
  const { label, run } = actions[action];
  return (
    <button type="button" class={isQuiet ? 'button' : 'button is-primary'} onClick={run}>
      {label}
    </button>
  );
}

/** The calls of an answer that are asked about on one card. */
interface Together {
  /** The part before which the card stands; undefined while there is none. */
  readonly at: string | undefined;
  readonly parts: readonly ChatPart[];
  readonly questions: readonly Question[];
}

const none: Together = { at: undefined, parts: [], questions: [] };

/**
 * Finds the calls that share a card: two or more of a group. The card stays until the last of them is answered, and where it began, so
 * that what the others become stands below it and does not push it.
 */
function useTogether(parts: readonly ChatPart[]): Together {
  const at = useRef<string | undefined>(undefined);
  const asked = askedTogether(parts);
  const questions = asked.flatMap(({ question }) => question ?? []);
  const canBe = questions.length > 1 && questions.every(({ choices }) => choices.includes('allowOnce'));
  const kept = questions.length > 0 && parts.some(({ id }) => id === at.current) ? at.current : undefined;
  at.current = kept ?? (canBe ? asked[0]?.id : undefined);
  return at.current === undefined ? none : { at: at.current, parts: asked, questions };
}

/** Returns the calls whose questions are of the first group that is open. */
function askedTogether(parts: readonly ChatPart[]): readonly ToolCallPart[] {
  const calls = parts.filter((part) => part.kind === 'toolCall');
  const group = calls.find(({ question }) => question?.group !== undefined)?.question?.group;
  return group === undefined ? [] : calls.filter(({ question }) => question?.group === group);
}
