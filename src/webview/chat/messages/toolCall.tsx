import type { JSX } from 'preact';
import { useContext, useId, useRef, useState } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { KeptResult } from '../../../contract/chat/contextBudget.ts';
import type { ToolCallPart, ToolCallState } from '../../../contract/chat/chatState.ts';
import type { PersonAnswer } from '../../../contract/questions/questions.ts';
import { HighlightedCode } from '../../markdown/codeBlock.tsx';
import { ProgressBar, ToolResult } from '../../results/toolResult.tsx';
import { Icon, IconButton } from '../../shared/elements.tsx';
import { formatBytes, plural } from '../../shared/formats.ts';
import { countMembers, editableJson } from '../../shared/jsonText.ts';
import { t } from '../../shared/localize.ts';
import { pure } from '../../shared/page.tsx';
import { useElapsed } from '../../shared/timers.ts';
import { BudgetActionsContext } from '../chatIntents.ts';
import { LazyAppCard, LazyEditReviewCard, LazyQuestionCard } from '../chatParts.tsx';
import { BreakableName, callStateWord, OutcomeWords } from './callWords.tsx';

export interface ToolCallProps {
  readonly part: ToolCallPart;
  readonly generation: string;
  readonly onAnswer: (answer: PersonAnswer, card: HTMLElement) => void;
}

export const ToolCall = pure(({ part, generation, onAnswer }: ToolCallProps) => {
  const [isOpen, setOpen] = useState(false);
  const line = useRef<HTMLButtonElement>(null);
  const id = useId();
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
      line.current?.focus();
    }
  };
  const name = t('Tool call: {0} {1}', revealInvisible(part.server), revealInvisible(part.tool));
  return (
    <div class={`call is-${part.state}`} role="group" aria-label={name}>
      <div onKeyDown={closeOnEscape}>
        <div class="call-head">
          <CallLine part={part} isOpen={isOpen} controls={id} line={line} onToggle={() => setOpen(!isOpen)} />
          {part.state === 'running' && <StopCall part={part} line={line} />}
        </div>
        {part.state === 'running' && <ProgressBar tool={part.tool} progress={part.progress} />}
        {part.error !== undefined && <p class="call-error">{revealInvisible(part.error)}</p>}
        {part.lastWords !== undefined && <LastWords id={part.id} lines={part.lastWords} />}
        <div id={id} class="call-details" hidden={!isOpen}>
          {isOpen && <CallDetails part={part} />}
        </div>
      </div>
      {part.question !== undefined && (
        <LazyQuestionCard key={part.question.askId} question={part.question} from="chat" generation={generation} onAnswer={onAnswer} />
      )}
      {part.app !== undefined && <LazyAppCard part={part} app={part.app} />}
      {part.review !== undefined && <LazyEditReviewCard key={part.review.id} review={part.review} generation={generation} />}
    </div>
  );
});

interface CallLineProps {
  readonly part: ToolCallPart;
  readonly isOpen: boolean;
  readonly controls: string;
  readonly line: { current: HTMLButtonElement | null };
  readonly onToggle: () => void;
}

function CallLine({ part, isOpen, controls, line, onToggle }: CallLineProps): JSX.Element {
  const elapsed = useElapsed(part.state === 'running');
  const { icon, tone } = stateIcon(part.state);
  const names = `${revealInvisible(part.server)} ${revealInvisible(part.tool)}`;
  return (
    <button ref={line} type="button" class="call-line" title={names} aria-expanded={isOpen} aria-controls={controls} onClick={onToggle}>
      <Icon name={icon} tone={tone} spin={part.state === 'running'} />
      <span class="screen-reader-only">{callStateWord(part)}: </span>
      <span class="call-names">
        <span class="call-server">
          <BreakableName name={revealInvisible(part.server)} />
        </span>{' '}
        <span class="call-tool">
          <BreakableName name={revealInvisible(part.tool)} />
        </span>
      </span>
      {part.isChanged === true && (
        <span class="call-changed" title={t('You changed the arguments')}>
          <Icon name="edit" />
          <span class="screen-reader-only">{t('You changed the arguments')}</span>
        </span>
      )}
      <OutcomeWords part={part} runningMs={elapsed} />
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
    </button>
  );
}

/** What a server wrote before it ended, and the way to the rest. */
function LastWords({ id, lines }: { readonly id: string; readonly lines: readonly string[] }): JSX.Element {
  const { showCallLog } = useContext(BudgetActionsContext);
  return (
    <div class="call-last-words">
      {lines.length > 0 && <pre aria-label={t('What the server last wrote')}>{lines.join('\n')}</pre>}
      <button type="button" class="button is-secondary" onClick={() => showCallLog(id)}>
        {t('Show log')}
      </button>
    </div>
  );
}

/** The button that stops a call. It disappears with the end of the call, so the focus moves to the card. */
function StopCall({ part, line }: Pick<CallLineProps, 'part' | 'line'>): JSX.Element {
  const { stopCall } = useContext(BudgetActionsContext);
  const label = t('Stop {0} {1}', revealInvisible(part.server), revealInvisible(part.tool));
  const stop = (): void => {
    stopCall(part.id);
    line.current?.focus();
  };
  return <IconButton icon="debug-stop" class="call-stop" label={label} onClick={stop} />;
}

function CallDetails({ part }: { readonly part: ToolCallPart }): JSX.Element {
  const count = countMembers(part.arguments);
  return (
    <>
      <div class="section">
        <div class="section-label">
          {count === 0
            ? t('No arguments')
            : plural(
                count,
                () => t('1 argument'),
                (count) => t('{0} arguments', count),
              )}
        </div>
        {count > 0 && <HighlightedCode code={editableJson(part.arguments)} language="json" label={t('Arguments')} />}
      </div>
      {(part.result.length > 0 || part.state === 'done') && (
        <div class="section">
          <div class="section-label">{t('Result')}</div>
          <ToolResult items={part.result} />
          {part.kept !== undefined && <WholeResult kept={part.kept} />}
        </div>
      )}
    </>
  );
}

/** Says that the model got only the beginning and the end of a long result, and opens the whole. */
function WholeResult({ kept }: { readonly kept: KeptResult }): JSX.Element {
  const { openResult } = useContext(BudgetActionsContext);
  return (
    <p class="whole-result secondary">
      {t('The model got the beginning and the end, and can read on.')}{' '}
      <button type="button" class="button is-quiet" onClick={() => openResult(kept.id)}>
        <Icon name="go-to-file" />
        {t('Open whole result')} <span class="secondary">{formatBytes(kept.bytes)}</span>
      </button>
    </p>
  );
}

function stateIcon(state: ToolCallState): { readonly icon: string; readonly tone: string } {
  const icons: Readonly<Record<ToolCallState, { readonly icon: string; readonly tone: string }>> = {
    waiting: { icon: 'shield', tone: 'warning' },
    running: { icon: 'loading', tone: 'quiet' },
    done: { icon: 'check', tone: 'good' },
    failed: { icon: 'error', tone: 'error' },
    denied: { icon: 'circle-slash', tone: 'quiet' },
    cancelled: { icon: 'debug-stop', tone: 'quiet' },
  };
  return icons[state];
}
