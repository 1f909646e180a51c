import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ThinkingPart } from '../../contract/chat/models.ts';
import { formatElapsed } from '../shared/formats.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';

/** What the model thought, folded: who reads the answer need not read how it came about. */
export function Thinking({ part, isRunning }: { readonly part: ThinkingPart; readonly isRunning: boolean }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isUnderWay = isRunning && part.elapsedMs === undefined;
  return (
    <div class="thought" role="group" aria-label={t('Thinking')}>
      <button type="button" class="thought-line secondary" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <Icon name={isUnderWay ? 'loading' : 'lightbulb'} spin={isUnderWay} />
        <span>{titleOf(part, isUnderWay)}</span>
      </button>
      {/* Not announced while it streams: it is said when somebody opens it. */}
      <div id={id} class="thought-text secondary" hidden={!isOpen} aria-live="off">
        {isOpen && <Markdown text={part.text} isStreaming={isUnderWay} />}
      </div>
    </div>
  );
}

function titleOf({ elapsedMs }: ThinkingPart, isUnderWay: boolean): string {
  if (isUnderWay) {
    return t('Thinking…');
  }
  return elapsedMs === undefined || elapsedMs < 1000 ? t('Thought for a moment') : t('Thought for {0}', formatElapsed(elapsedMs));
}
