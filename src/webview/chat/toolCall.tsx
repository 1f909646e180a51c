import type { JSX } from 'preact';
import { useContext, useId, useRef, useState } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { KeptResult } from '../../contract/chat/contextBudget.ts';
import type { ToolCallPart } from '../../contract/chatState.ts';
import type { PersonAnswer } from '../../contract/questions/answers.ts';
import { HighlightedCode } from '../markdown/codeBlock.tsx';
import { ProgressBar } from '../results/progressBar.tsx';
import { ToolResult } from '../results/toolResult.tsx';
import { Icon } from '../shared/icon.tsx';
import { countMembers, editableJson } from '../shared/jsonText.ts';
import { t } from '../shared/localize.ts';
import { formatBytes, plural } from '../shared/formats.ts';
import { pure } from '../shared/pure.ts';
import { useElapsed } from '../shared/useElapsed.ts';
import { BudgetActionsContext } from './budgetActions.ts';
import { QuestionCard } from './chatParts.tsx';
import { argumentsPreview, callMeta, stateIcon, stateWord } from './toolCallTexts.ts';

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
        <div id={id} class="call-details" hidden={!isOpen}>
          {isOpen && <CallDetails part={part} />}
        </div>
      </div>
      {part.question !== undefined && (
        <QuestionCard key={part.question.askId} question={part.question} from="chat" generation={generation} onAnswer={onAnswer} />
      )}
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
      <span class="screen-reader-only">{stateWord(part)}: </span>
      <span class="call-names">
        <span class="call-server">{revealInvisible(part.server)}</span>
        <span class="call-tool">{revealInvisible(part.tool)}</span>
      </span>
      <span class="call-preview">{argumentsPreview(part.arguments)}</span>
      <span class="call-meta">{callMeta(part, elapsed)}</span>
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
    </button>
  );
}

/** The button goes with the call's end: the focus stays on its card. */
function StopCall({ part, line }: Pick<CallLineProps, 'part' | 'line'>): JSX.Element {
  const { stopCall } = useContext(BudgetActionsContext);
  const label = t('Stop {0} {1}', revealInvisible(part.server), revealInvisible(part.tool));
  const stop = (): void => {
    stopCall(part.id);
    line.current?.focus();
  };
  return (
    <button type="button" class="icon-button call-stop" aria-label={label} title={label} onClick={stop}>
      <Icon name="debug-stop" />
    </button>
  );
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

/** The model got its beginning and its end. */
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
