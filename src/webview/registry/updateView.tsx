import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RegistryUpdate } from '../../contract/pages/registryMessages.ts';
import { answerRow, useArming } from '../question/arming.ts';
import { Differences } from '../question/details/differences.tsx';
import { Problem } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { DownloadQuestion } from './downloadQuestion.tsx';
import { Cancel } from './installForm.tsx';
import type { RegistryLink } from './main.tsx';

/** What an update would change in the settings, before it is written. */
export function UpdateView({ update, link }: { readonly update: RegistryUpdate; readonly link: RegistryLink }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const { title, server, location, changes, bundle, problem } = update;
  const page = useRef<HTMLElement>(null);
  const { isArmed, takes } = useArming(page, JSON.stringify([server, changes, bundle === undefined]));
  const apply = (event: Event): void => {
    if (takes(event)) {
      link.send('registry/applyUpdate', {});
    }
  };
  return (
    <main ref={page} class="registry">
      <h1 ref={heading} tabIndex={-1}>
        {t('Update {0}', title)}
      </h1>
      <p>{t('This changes the server “{0}” in {1}. Its next start asks you again.', server, location)}</p>
      {bundle !== undefined && <DownloadQuestion way={bundle} download={bundle.download} link={link} />}
      <Problem id="update-problem" text={problem} />
      {changes.length > 0 && <Differences differences={changes} />}
      {bundle === undefined && (
        <div class="registry-actions" {...answerRow}>
          {changes.length > 0 && (
            <button type="button" class="button is-primary" aria-disabled={!isArmed} onClick={apply}>
              {t('Update')}
            </button>
          )}
          <Cancel link={link} />
        </div>
      )}
    </main>
  );
}
