import type { JSX } from 'preact';
import { revealInvisible } from '../../base/visibleText.ts';
import { t } from '../shared/localize.ts';
import { progressShare, type CallProgress } from './resultTexts.ts';

/** How far a call of the tool is; without numbers, only that it goes on. */
export function ProgressBar({ tool, progress }: { readonly tool: string; readonly progress: CallProgress | undefined }): JSX.Element {
  const share = progressShare(progress);
  const message = progress?.message;
  return (
    <>
      <div
        class={share === undefined ? 'progress is-endless' : 'progress'}
        role="progressbar"
        aria-label={t('Progress of {0}', revealInvisible(tool))}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(share === undefined ? {} : { 'aria-valuenow': Math.round(share * 100) })}
      >
        <div class="progress-bar" {...(share === undefined ? {} : { style: { width: `${share * 100}%` } })} />
      </div>
      {message !== undefined && <p class="call-progress secondary">{revealInvisible(message)}</p>}
    </>
  );
}
