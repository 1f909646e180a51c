import type { ValueSource } from '../../contract/pages/pageLimits.ts';
import type { RunnerRun, RunnerTool } from '../../contract/pages/runnerMessages.ts';
import { formatBytes, formatElapsed } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';

type Ended = Extract<RunnerRun, { readonly kind: 'ended' }>;

export function endingIcon(ending: Ended['ending']): { readonly icon: string; readonly tone: string } {
  const icons: Readonly<Record<Ended['ending'], { readonly icon: string; readonly tone: string }>> = {
    succeeded: { icon: 'pass', tone: 'good' },
    failed: { icon: 'error', tone: 'error' },
    denied: { icon: 'circle-slash', tone: 'quiet' },
    cancelled: { icon: 'debug-stop', tone: 'quiet' },
  };
  return icons[ending];
}

export function endingWord(ending: Ended['ending']): string {
  const words: Readonly<Record<Ended['ending'], string>> = {
    succeeded: t('Done'),
    failed: t('Failed'),
    denied: t('Denied'),
    cancelled: t('Stopped'),
  };
  return words[ending];
}

/** How a run ended, such as "Done · 1.2 s · 3 KB". */
export function endedLine({ ending, elapsedMs, bytes }: Ended): string {
  return [
    endingWord(ending),
    ...(elapsedMs === undefined ? [] : [formatElapsed(elapsedMs)]),
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
  ].join(' · ');
}

/** A note about the server; undefined while it runs, when there is nothing to say. */
export function serverNote(state: RunnerTool['state']): string | undefined {
  switch (state) {
    case 'ready':
      return undefined;
    case 'starting':
      return t('The server is starting.');
    case 'stopped':
      return t('The server is not running. It is started when you run the tool.');
    case 'gone':
      return t('The server does not offer this tool any more.');
  }
}

export function sourceWords(source: ValueSource): { readonly icon: string; readonly label: string } {
  const words: Readonly<Record<ValueSource, { readonly icon: string; readonly label: string }>> = {
    selection: { icon: 'selection', label: t('Selection') },
    activePath: { icon: 'file', label: t('Path of the open file') },
    activeText: { icon: 'file-code', label: t('Text of the open file') },
    pickedPath: { icon: 'folder-opened', label: t('Path of a file…') },
    clipboard: { icon: 'clippy', label: t('Clipboard') },
  };
  return words[source];
}

export function notKeptNote(reason: NonNullable<Ended['notKept']>): string {
  return reason === 'secret'
    ? t('This run is not kept among the earlier ones: its arguments seem to hold a secret.')
    : t('This run is not kept among the earlier ones: its arguments are too large.');
}
