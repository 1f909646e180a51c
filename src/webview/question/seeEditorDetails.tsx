import type { JSX } from 'preact';
import type { SeeEditorQuestion } from '../../contract/questions/toolQuestions.ts';
import { Disclosure } from '../shared/disclosure.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';

/** The call that is waiting, for those who allow only that, and all that an answer for longer covers. */
export function SeeEditorDetails({ detail }: { readonly detail: SeeEditorQuestion }): JSX.Element {
  return (
    <>
      <dl class="facts" aria-label={t('This call')}>
        <div class="fact">
          <dt>{t('This call')}</dt>
          <dd>{wholeText(detail.tool)}</dd>
        </div>
        {detail.arguments !== '{}' && (
          <div class="fact">
            <dt>{t('Arguments')}</dt>
            <dd>{wholeText(detail.arguments)}</dd>
          </div>
        )}
      </dl>
      <Disclosure
        label={t('Tools')}
        inside={plural(
          detail.tools.length,
          () => t('1, for which a remembered answer holds'),
          (count) => t('{0}, for all of which a remembered answer holds', count),
        )}
      >
        <ul class="tool-names" aria-label={t('Tools')}>
          {detail.tools.map((name) => (
            <li key={name}>{wholeText(name)}</li>
          ))}
        </ul>
      </Disclosure>
    </>
  );
}
