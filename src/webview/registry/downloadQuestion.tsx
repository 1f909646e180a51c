import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { RegistryInstallForm } from '../../contract/pages/registryMessages.ts';
import { answerRow, useArming } from '../question/arming.ts';
import { Problem } from '../shared/elements.tsx';
import { formatFixed, formatNumber } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import type { RegistryLink } from './main.tsx';

type Way = Pick<RegistryInstallForm['ways'][number], 'id' | 'shown' | 'download' | 'fetched'>;

interface DownloadQuestionProps {
  readonly way: Way;
  readonly download: NonNullable<Way['download']>;
  readonly link: RegistryLink;
}

interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Asks before a bundle is downloaded: whose it is, from where it comes, how large it may be, and what it has to be. */
export function DownloadQuestion({ way, download, link }: DownloadQuestionProps): JSX.Element {
  const { sha256, progress, problem } = download;
  const card = useRef<HTMLElement>(null);
  // Another bundle, or what follows when it is there, may come under a pointer that was aimed at something else.
  const { isArmed, takes } = useArming(card, `${way.shown} ${sha256}`);
  const accept = (event: Event): void => {
    if (takes(event)) {
      link.send('registry/download', { way: way.id });
    }
  };
  return (
    <section ref={card} class="registry-form" aria-label={t('Download this bundle?')}>
      <h2>{t('Download this bundle?')}</h2>
      <dl class="facts">
        {factsOf(way, download).map(({ label, value }) => (
          <div class="fact" key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="secondary">
        {t('It is checked against the SHA-256 and unpacked into a folder of Duplex. Nothing in it is started by this.')}
      </p>
      <Problem id="download-problem" text={problem} />
      <p role="status" class="secondary">
        {progress === undefined ? '' : progressText(progress)}
      </p>
      <div class="registry-actions" {...answerRow}>
        {progress === undefined ? (
          <button type="button" class="button is-primary" aria-disabled={!isArmed} onClick={accept}>
            {t('Download')}
          </button>
        ) : (
          <button type="button" class="button is-secondary" onClick={() => link.send('registry/stopDownload', {})}>
            {t('Stop')}
          </button>
        )}
        <button type="button" class="button is-secondary" onClick={() => link.send('registry/refuseDownload', { way: way.id })}>
          {t('Cancel')}
        </button>
      </div>
    </section>
  );
}

function factsOf({ shown }: Way, { host, publisher, sha256, maxMegabytes }: DownloadQuestionProps['download']): readonly Fact[] {
  return [
    { label: t('Published as'), value: publisher },
    { label: t('Host'), value: host },
    { label: t('Address'), value: shown },
    { label: t('Size'), value: t('the entry does not say; more than {0} MB is refused', maxMegabytes) },
    { label: t('SHA-256'), value: sha256 },
  ];
}

/** Says what was downloaded. */
export function fetchedText({ what, bytes, files }: NonNullable<Way['fetched']>): string {
  const size = inMegabytes(bytes);
  return t('{0}: downloaded {1} MB with the SHA-256 that the entry names, {2} files.', what, size, formatNumber(files));
}

function inMegabytes(bytes: number): string {
  return formatFixed(bytes / 1024 / 1024, 1);
}

function progressText({ received, total }: NonNullable<NonNullable<Way['download']>['progress']>): string {
  return total === undefined
    ? t('Downloading… {0} MB', inMegabytes(received))
    : t('Downloading… {0} of {1} MB', inMegabytes(received), inMegabytes(total));
}
