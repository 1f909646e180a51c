import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { RunnerRun, RunnerTool } from '../../contract/pages/runnerMessages.ts';
import { type Arming, answerRow, useArming } from '../question/arming.ts';
import { ProgressBar, ToolResult } from '../results/toolResult.tsx';
import { Icon } from '../shared/elements.tsx';
import { formatElapsed } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { useElapsed } from '../shared/timers.ts';
import type { RunInView } from './runCovering.ts';
import { endedLine, endingIcon, notKeptNote } from './runnerTexts.ts';
import type { RunnerIntents } from './runnerView.ts';

export interface RunnerResultProps {
  readonly tool: RunnerTool;
  readonly run: RunnerRun;
  readonly intents: RunnerIntents;
  readonly inView: { readonly current: RunInView };
}

/** Shows below the form what runs, or what came of the last run. */
export function RunnerResult({ tool, run, intents, inView }: RunnerResultProps): JSX.Element | null {
  const elapsed = useElapsed(run.kind === 'running');
  const section = useRef<HTMLElement>(null);
  const before = useRef<RunnerRun['kind']>('none');
  const arming = useArming(section, `${run.kind} ${tool.definition} ${run.kind === 'ended' ? run.arguments : ''}`);
  useEffect(() => {
    const top = section.current?.getBoundingClientRect().top ?? 0;
    if (scrollsToResult(before.current, run.kind, top >= 0 && top < window.innerHeight)) {
      // It scrolls at once, for those who cannot have movement. The focus stays where it is.
      section.current?.scrollIntoView({ block: 'start' });
    }
    before.current = run.kind;
  }, [run.kind]);
  if (run.kind === 'none') {
    return null;
  }
  return (
    <section ref={section} class="runner-result" aria-label={t('Result')}>
      <h2>{t('Result')}</h2>
      <p class="runner-state" role="status">
        <StateLine run={run} elapsed={elapsed} />
      </p>
      {run.kind === 'running' && <ProgressBar tool={tool.tool} progress={run.progress} />}
      {run.kind === 'ended' && <Ended {...{ run, tool, intents, inView, arming }} />}
    </section>
  );
}

function StateLine({ run, elapsed }: { readonly run: RunnerRun; readonly elapsed: number | undefined }): JSX.Element {
  switch (run.kind) {
    case 'none':
      return <></>;
    case 'waiting':
      return (
        <>
          <Icon name="shield" tone="warning" />
          {t('Waiting for the server, or for your permission.')}
        </>
      );
    case 'running':
      return (
        <>
          <Icon name="loading" tone="quiet" spin />
          {t('Running')}
          {elapsed !== undefined && <span aria-hidden="true"> · {formatElapsed(elapsed)}</span>}
        </>
      );
    case 'ended': {
      const { icon, tone } = endingIcon(run.ending);
      return (
        <>
          <Icon name={icon} tone={tone} />
          {endedLine(run)}
        </>
      );
    }
  }
}

interface EndedProps {
  readonly run: Extract<RunnerRun, { readonly kind: 'ended' }>;
  readonly tool: RunnerTool;
  readonly intents: RunnerIntents;
  readonly inView: RunnerResultProps['inView'];
  readonly arming: Arming;
}

function Ended({ run, tool, intents, inView, arming }: EndedProps): JSX.Element {
  const hasResult = run.error === undefined;
  const runAgain = (event: Event): void => {
    // Like Run while its arguments are in view; otherwise the person is asked.
    const shown = arming.takes(event) ? inView.current(run.arguments) : undefined;
    if (shown !== undefined) {
      intents.run(shown.text, shown.definition);
    } else {
      intents.again();
    }
  };
  return (
    <>
      {run.error !== undefined && <p>{revealInvisible(run.error)}</p>}
      {hasResult && <ToolResult items={run.items} />}
      {run.isCut === true && <p class="secondary">{t('This is only the beginning. “Open in editor” shows all of it.')}</p>}
      {run.notKept !== undefined && <p class="secondary">{notKeptNote(run.notKept)}</p>}
      <div class="button-row" {...answerRow}>
        {run.hasApp === true && (
          <button type="button" class="button is-secondary" onClick={intents.openApp}>
            {t('Show app')}
          </button>
        )}
        {hasResult && (
          <button type="button" class="button is-secondary" onClick={intents.sendToChat}>
            {t('Send to chat')}
          </button>
        )}
        <button
          type="button"
          class="button is-secondary"
          aria-disabled={tool.state === 'gone'}
          onClick={(event) => (tool.state === 'gone' ? undefined : runAgain(event))}
        >
          {t('Run again')}
        </button>
        {hasResult && (
          <button type="button" class="button is-secondary" onClick={intents.openResult}>
            {t('Open in editor')}
          </button>
        )}
      </div>
    </>
  );
}

/** Decides whether the result is scrolled into view: when a run starts, and when it ends while the person looks at it. */
export function scrollsToResult(before: RunnerRun['kind'], now: RunnerRun['kind'], isSeen: boolean): boolean {
  const wasBusy = before === 'waiting' || before === 'running';
  switch (now) {
    case 'none':
      return false;
    case 'waiting':
    case 'running':
      return !wasBusy;
    case 'ended':
      return wasBusy ? isSeen : before === 'none';
  }
}
