import type { JSX, RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { revealInvisible } from '../../base/visibleText.ts';
import type { RunnerKept, RunnerRun, RunnerTool } from '../../contract/pages/runnerMessages.ts';
import { type ArgumentsDraft, useArgumentsDraft } from '../forms/argumentsDraft.ts';
import { ArgumentsEditor } from '../forms/argumentsEditor.tsx';
import { type Arming, answerRow } from '../question/arming.ts';
import { endMark, MoreToRead } from '../question/reading.tsx';
import { Disclosure, Icon, IconButton } from '../shared/elements.tsx';
import { formatDate, plural } from '../shared/formats.ts';
import { editableJson } from '../shared/jsonText.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { InsertRow } from './insertRow.tsx';
import { type Covering, type CoveringPlaces, useCovering } from './runCovering.ts';
import { endingIcon, endingWord } from './runnerTexts.ts';
import type { RunnerIntents } from './runnerView.ts';

export interface RunnerFormProps {
  readonly tool: RunnerTool;
  readonly run: RunnerRun;
  readonly kept: RunnerKept;
  readonly intents: RunnerIntents;
  /** What was typed before the form was drawn anew. */
  readonly typed: string | undefined;
  /** Whether the person has just opened the tab, so that the form takes the focus. */
  readonly takesFocus: boolean;
  readonly page: CoveringPlaces['page'];
  readonly inView: CoveringPlaces['inView'];
}

export function RunnerForm({ tool, run, kept, intents, typed, takesFocus, page, inView }: RunnerFormProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  // Decided once: what the person has begun to write is theirs, whatever the server sends meanwhile.
  const [beginning] = useState(tool.arguments);
  const draft = useArgumentsDraft({ arguments: beginning, form: tool.form, typed }, intents.check);
  useReportTyped(draft, typed !== undefined, intents.typed);
  // Fields decide by their first value how to show it, so arguments that are taken over whole need new fields.
  const [fillings, setFillings] = useState(0);
  const fill = (args: string): void => {
    draft.setText(editableJson(args));
    setFillings(fillings + 1);
  };
  const [isTried, setTried] = useState(false);
  useFirstFocus(form, takesFocus);
  const isBusy = run.kind === 'waiting' || run.kind === 'running';
  const button = useRef<HTMLButtonElement>(null);
  const args = useRef<HTMLDivElement>(null);
  const covering = useCovering({ page, form, args, inView }, tool.definition, draft.text, isBusy);
  const press = (event: Event): void => {
    setTried(true);
    if (draft.obstacle !== undefined) {
      requestAnimationFrame(() => firstWrong(form.current)?.focus());
    } else if (!isBusy && tool.state !== 'gone') {
      covering.press(event, (definition) => intents.run(draft.text, definition));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) {
      event.preventDefault();
      button.current?.click();
    }
  };
  return (
    <form
      ref={form}
      class="runner-form"
      aria-label={t('Run {0} {1}', wholeText(tool.server), wholeText(tool.tool))}
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
    >
      <EarlierRuns {...{ kept, isBusy, intents }} arming={covering.arming} onFill={fill} />
      <div ref={args} class="runner-arguments">
        <ArgumentsEditor key={fillings} draft={isTried ? draft : withoutGaps(draft)} form={tool.form} remarkAt={() => undefined} />
        {/* Other arguments have another end, which is to be seen anew. */}
        <div key={covering.what} {...endMark} />
      </div>
      {tool.form?.fields.length !== 0 && <InsertRow form={form} intents={intents} />}
      <Buttons {...{ isBusy, isGone: tool.state === 'gone', draft, intents, button, covering }} onPress={press} />
    </form>
  );
}

/** Whoever opened the tab wants to fill in the form. */
function useFirstFocus(form: RefObject<HTMLFormElement | null>, takesFocus: boolean): void {
  useLayoutEffect(() => {
    if (takesFocus) {
      form.current?.querySelector<HTMLElement>('textarea, input, select, button[type="submit"]')?.focus();
    }
  }, []);
}

/** Reports what is in the form once the person has changed it, also when that is as it was at first again. */
function useReportTyped(draft: ArgumentsDraft, wasTyped: boolean, tell: (text: string) => void): void {
  const isTyped = useRef(wasTyped);
  useEffect(() => {
    isTyped.current ||= draft.isChanged;
    if (isTyped.current) {
      tell(draft.text);
    }
  }, [draft.text]);
}

/** The first control with a problem, or the first one inside a field that has no control of its own. */
function firstWrong(form: HTMLFormElement | null): HTMLElement | null {
  const said = form?.querySelector('.field-problem:not(:empty)')?.closest('.section');
  const find = (selector: string): HTMLElement | null => said?.querySelector<HTMLElement>(selector) ?? null;
  return find('[aria-invalid="true"]') ?? find('textarea, input, select, button');
}

/** Hides problems of fields that nobody has touched: what is missing is no mistake before the person has tried to run. */
function withoutGaps(draft: ArgumentsDraft): ArgumentsDraft {
  return {
    ...draft,
    problemAt: (path) => (draft.isChangedAt(path) ? draft.problemAt(path) : undefined),
    problemWithin: (path) => (draft.isChangedAt(path) ? draft.problemWithin(path) : undefined),
  };
}

interface ButtonsProps {
  readonly isBusy: boolean;
  readonly isGone: boolean;
  readonly draft: ArgumentsDraft;
  readonly intents: RunnerIntents;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly covering: Covering;
  readonly onPress: (event: Event) => void;
}

function Buttons({ isBusy, isGone, draft, intents, button, covering, onPress }: ButtonsProps): JSX.Element {
  const id = useId();
  const isJson = draft.value !== undefined;
  // What is wrong with the arguments is said by a press.
  const isDim = isBusy || isGone || (!covering.isReady && draft.obstacle === undefined);
  return (
    <>
      {covering.more !== undefined && <MoreToRead id={id} {...covering.more} />}
      <div class="button-row runner-buttons" {...answerRow}>
        <button ref={button} type="submit" class="button is-primary" aria-disabled={isDim} aria-describedby={id} onClick={onPress}>
          <Icon name="play" />
          {t('Run')}
        </button>
        {isBusy && (
          <button type="button" class="button is-secondary" onClick={intents.stop}>
            <Icon name="debug-stop" />
            {t('Stop')}
          </button>
        )}
        <button
          type="button"
          class="button is-secondary"
          aria-disabled={!isJson}
          onClick={() => (isJson ? intents.savePreset(draft.text) : undefined)}
        >
          {t('Save preset')}
        </button>
      </div>
    </>
  );
}

interface EarlierRunsProps {
  readonly kept: RunnerKept;
  readonly isBusy: boolean;
  readonly intents: RunnerIntents;
  readonly arming: Arming;
  readonly onFill: (args: string) => void;
}

/** Shows the saved presets, and the earlier runs folded. A click takes the arguments over, and runs nothing. */
function EarlierRuns({ kept: { runs, presets, removed }, isBusy, intents, arming, onFill }: EarlierRunsProps): JSX.Element {
  return (
    <>
      {presets.length > 0 && (
        <div class="section">
          <div class="section-label">{t('Presets')}</div>
          <ul class="runner-presets" aria-label={t('Presets')}>
            {presets.map(({ id, name, arguments: args }) => (
              <li key={id} class="runner-preset">
                <button type="button" class="button is-quiet" title={preview(args)} onClick={() => onFill(args)}>
                  {revealInvisible(name)}
                </button>
                <IconButton icon="close" label={t('Remove {0}', revealInvisible(name))} onClick={() => intents.removePreset(id)} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {runs.length > 0 && (
        <Disclosure
          label={t('Earlier runs')}
          inside={plural(
            runs.length,
            () => t('1 run'),
            (count) => t('{0} runs', count),
          )}
        >
          <ul class="runner-runs" aria-label={t('Earlier runs')} {...answerRow}>
            {runs.map((run) => (
              <EarlierRun key={run.id} {...{ run, isBusy, intents, arming, onFill }} />
            ))}
          </ul>
          <button type="button" class="button is-quiet" onClick={intents.forgetRuns}>
            {t('Forget these runs')}
          </button>
        </Disclosure>
      )}
      <div class="secondary" role="status">
        {removed !== undefined && (
          <p class="runner-removed">
            <span>{removedSentence(removed)}</span>
            <button type="button" class="button is-secondary" onClick={intents.undoRemove}>
              {t('Undo')}
            </button>
          </p>
        )}
      </div>
    </>
  );
}

function removedSentence(removed: NonNullable<RunnerKept['removed']>): string {
  if (removed.kind === 'preset') {
    return t('Removed “{0}”.', revealInvisible(removed.name));
  }
  return plural(
    removed.count,
    () => t('Forgot 1 run.'),
    (count) => t('Forgot {0} runs.', count),
  );
}

interface EarlierRunProps extends Omit<EarlierRunsProps, 'kept'> {
  readonly run: RunnerKept['runs'][number];
}

function EarlierRun({ run: { at, arguments: args, ending }, isBusy, intents, arming, onFill }: EarlierRunProps): JSX.Element {
  const { icon, tone } = endingIcon(ending);
  const runAgain = (event: Event): void => {
    if (!isBusy && arming.takes(event)) {
      onFill(args);
      intents.run(args);
    }
  };
  return (
    <li class="runner-earlier">
      <button type="button" class="runner-earlier-line" title={args} onClick={() => onFill(args)}>
        <Icon name={icon} tone={tone} />
        <span class="screen-reader-only">{endingWord(ending)}: </span>
        <span class="call-preview">{preview(args)}</span>
        <span class="call-meta">{formatDate(at, Date.now())}</span>
      </button>
      <IconButton icon="play" label={t('Run again with {0}', preview(args))} aria-disabled={isBusy || !arming.isArmed} onClick={runAgain} />
    </li>
  );
}

function preview(args: string): string {
  const flat = revealInvisible(args.slice(0, 200)).replace(/\s+/g, ' ').trim();
  return flat === '{}' ? t('without arguments') : flat;
}
