import type { JSX } from 'preact';
import { revealInvisible } from '../../base/visibleText.ts';
import type { RunnerKept } from '../../contract/runnerMessages.ts';
import { Disclosure } from '../shared/disclosure.tsx';
import { formatDate, plural } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { endingIcon, endingWord } from './runnerTexts.ts';
import type { RunnerIntents } from './runnerView.ts';

interface EarlierRunsProps {
  readonly kept: RunnerKept;
  readonly isBusy: boolean;
  readonly intents: RunnerIntents;
  readonly onFill: (args: string) => void;
}

/** What was saved, at hand; what was run before, folded. A click takes the arguments over, and runs nothing. */
export function EarlierRuns({ kept: { runs, presets, removed }, isBusy, intents, onFill }: EarlierRunsProps): JSX.Element {
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
          <ul class="runner-runs" aria-label={t('Earlier runs')}>
            {runs.map((run) => (
              <EarlierRun key={run.id} {...{ run, isBusy, intents, onFill }} />
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

function EarlierRun({ run: { at, arguments: args, ending }, isBusy, intents, onFill }: EarlierRunProps): JSX.Element {
  const { icon, tone } = endingIcon(ending);
  const runAgain = (): void => {
    if (!isBusy) {
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
      <IconButton icon="play" label={t('Run again with {0}', preview(args))} isDisabled={isBusy} onClick={runAgain} />
    </li>
  );
}

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

function IconButton({ icon, label, isDisabled = false, onClick }: IconButtonProps): JSX.Element {
  return (
    <button type="button" class="icon-button" title={label} aria-label={label} aria-disabled={isDisabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

function preview(args: string): string {
  const flat = revealInvisible(args.slice(0, 200)).replace(/\s+/g, ' ').trim();
  return flat === '{}' ? t('without arguments') : flat;
}
