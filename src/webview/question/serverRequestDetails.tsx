import type { JSX } from 'preact';
import type { ElicitationQuestion, RootsQuestion, SignInQuestion } from '../../contract/questions/requestQuestions.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { FormDraft } from './formDraft.ts';
import { FormFieldInput } from './formFieldInput.tsx';

export function RootsDetails({ detail }: { readonly detail: RootsQuestion }): JSX.Element {
  return (
    <dl class="facts" aria-label={t('Folders')}>
      {detail.folders.map(({ name, path }, index) => (
        <div class="fact" key={index}>
          <dt>{wholeText(name)}</dt>
          <dd>{wholeText(path)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function ElicitationDetails({ detail, form }: { readonly detail: ElicitationQuestion; readonly form: FormDraft }): JSX.Element {
  const { request } = detail;
  return (
    <>
      <div class="section">
        <div class="section-label">{t('The server says')}</div>
        <p class="whole-text">{wholeText(detail.message)}</p>
      </div>
      {request.mode === 'form' ? (
        request.fields.map((field) => <FormFieldInput key={field.name} field={field} form={form} />)
      ) : (
        <>
          <dl class="facts" aria-label={t('Link')}>
            <div class="fact">
              <dt>{t('Host')}</dt>
              <dd>
                <strong>{wholeText(request.host)}</strong>
              </dd>
            </div>
            <div class="fact">
              <dt>{t('Address')}</dt>
              <dd>{wholeText(request.url)}</dd>
            </div>
          </dl>
          <p class="secondary">
            <Icon name="warning" tone="warning" /> {t('Check that you know this host before you enter anything there.')}
          </p>
        </>
      )}
    </>
  );
}

export function SignInDetails({ detail }: { readonly detail: SignInQuestion }): JSX.Element {
  const { issuer, secret, earlierIssuer } = detail;
  return (
    <>
      <dl class="facts" aria-label={t('Sign-in')}>
        <div class="fact">
          <dt>{t('Authorization server')}</dt>
          <dd>
            <strong>{wholeText(issuer)}</strong>
          </dd>
        </div>
        {earlierIssuer !== undefined && (
          <div class="fact">
            <dt>{t('Before')}</dt>
            <dd>{wholeText(earlierIssuer)}</dd>
          </div>
        )}
      </dl>
      {secret !== undefined && (
        <ul class="disclosures" aria-label={t('What it is given')}>
          {secret.sentTo.map((origin) => (
            <li key={origin}>
              <Icon name="key" />
              <span>{t('sends {0} to {1}', wholeText(secret.name), wholeText(origin))}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
