import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FormValues } from '../../contract/forms/formFields.ts';
import type { RegistryInstallForm } from '../../contract/pages/registryMessages.ts';
import { TextLine } from '../forms/controls.tsx';
import { AnswerField, FlatField, type FormDraft, useFormDraft } from '../forms/flatForm.tsx';
import { answerRow, useArming } from '../question/arming.ts';
import { Icon, Problem, Remark } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { DownloadQuestion, fetchedText } from './downloadQuestion.tsx';
import type { RegistryLink } from './main.tsx';

interface InstallFormProps {
  readonly form: RegistryInstallForm;
  readonly link: RegistryLink;
}

type Way = RegistryInstallForm['ways'][number];

/** Leads from an entry of the registry to what will be written: which package, under which name, with which values. */
export function InstallForm({ form, link }: InstallFormProps): JSX.Element {
  const usable = form.ways.filter(({ problem }) => problem === undefined);
  const [wayId, setWay] = useState(usable[0]?.id ?? '');
  const [name, setName] = useState(form.suggestedName);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const way = usable.find(({ id }) => id === wayId);
  const edit = (): void => link.send('registry/edit', {});
  return (
    <main class="registry">
      <h1 ref={heading} tabIndex={-1}>
        {t('Install {0}', form.title)}
      </h1>
      {usable.length > 1 && (
        <WayChoice
          ways={usable}
          chosen={wayId}
          onChoose={(id) => {
            setWay(id);
            edit();
          }}
        />
      )}
      {way !== undefined && (
        <WayForm
          key={way.id}
          way={way}
          form={form}
          name={name}
          onName={(changed) => {
            setName(changed);
            edit();
          }}
          onEdit={edit}
          link={link}
        />
      )}
    </main>
  );
}

interface WayChoiceProps {
  readonly ways: readonly Way[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

function WayChoice({ ways, chosen, onChoose }: WayChoiceProps): JSX.Element {
  return (
    <fieldset class="registry-choice">
      <legend class="section-label">{t('What to use')}</legend>
      {ways.map(({ id, kind, shown }) => (
        <label key={id} class="role">
          <input type="radio" name="way" checked={id === chosen} onChange={() => onChoose(id)} />
          <span>
            {kind === 'remote' ? t('Remote') : kind} <code>{shown}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface WayFormProps extends InstallFormProps {
  readonly way: Way;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onEdit: () => void;
}

function WayForm(props: WayFormProps): JSX.Element {
  const { way, link } = props;
  // The form of a bundle is known once it is there.
  return way.download === undefined ? <FieldsForm {...props} /> : <DownloadQuestion way={way} download={way.download} link={link} />;
}

function FieldsForm({ way, form, name, onName, onEdit, link }: WayFormProps): JSX.Element {
  const own = useFormDraft(way.fields.map(({ field }) => field));
  const draft: FormDraft = {
    ...own,
    set: (field, value) => {
      own.set(field, value);
      onEdit();
    },
  };
  const id = useId();
  const isShown = ({ after }: Way['fields'][number]): boolean => after === undefined || isFilled(draft.values, after);
  const review = (event: SubmitEvent): void => {
    event.preventDefault();
    if (draft.problem === undefined) {
      link.send('registry/review', { way: way.id, name, values: draft.values });
    }
  };
  return (
    <form class="registry-form" aria-label={t('Install {0}', form.title)} onSubmit={review}>
      <WayFacts way={way} />
      <FlatField id={id} label={t('Name in the settings')} help="">
        <TextLine id={id} value={name} onInput={onName} />
      </FlatField>
      {way.fields.filter(isShown).map((each) => (
        <div key={each.field.name}>
          <AnswerField field={each.field} form={draft} />
          {each.isSecret && <p class="secondary">{secretHelp(each.isNeeded)}</p>}
        </div>
      ))}
      <Problem id={`${id}-problem`} text={form.problem} />
      {form.review === undefined ? (
        <div class="registry-actions">
          <button type="submit" class="button is-primary" aria-disabled={draft.problem !== undefined}>
            {t('Review')}
          </button>
          <Cancel link={link} />
        </div>
      ) : (
        <Review review={form.review} link={link} />
      )}
    </form>
  );
}

function WayFacts({ way }: { readonly way: Way }): JSX.Element {
  return (
    <>
      <p>
        <code>{way.shown}</code>
      </p>
      {way.fetched !== undefined && (
        <p role="status" class="secondary">
          {fetchedText(way.fetched)}
        </p>
      )}
      <Remark text={way.missing} />
    </>
  );
}

function secretHelp(isNeeded: boolean): string {
  return isNeeded
    ? t('It is kept in your secret storage, not in the settings. Leave it empty to be asked when the server starts.')
    : t('It is kept in your secret storage, not in the settings. Leave it empty if you do not need it.');
}

function isFilled(values: FormValues, name: string): boolean {
  const value = values[name];
  return value !== undefined && value !== '';
}

export function Cancel({ link }: { readonly link: RegistryLink }): JSX.Element {
  return (
    <button type="button" class="button is-secondary" onClick={() => link.send('registry/back', {})}>
      {t('Cancel')}
    </button>
  );
}

/** What will be written, and where. */
function Review({
  review,
  link,
}: {
  readonly review: NonNullable<RegistryInstallForm['review']>;
  readonly link: RegistryLink;
}): JSX.Element {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => section.current?.focus(), []);
  const { isArmed, takes } = useArming(section, review.lines.map(({ value }) => value).join('\n'));
  return (
    <section class="registry-review" ref={section} tabIndex={-1} aria-label={t('What will be written')}>
      <h2>{t('What will be written')}</h2>
      <dl class="facts">
        {review.lines.map(({ label, value }) => (
          <div class="fact" key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="secondary">
        <Icon name="info" /> {t('Nothing starts by this: you are asked first.')}
      </p>
      <div class="registry-actions" {...answerRow}>
        {review.places.map((place, index) => (
          <button
            key={place}
            type="button"
            class={`button ${index === 0 ? 'is-primary' : 'is-secondary'}`}
            aria-disabled={!isArmed}
            onClick={(event) => (takes(event) ? link.send('registry/install', { place }) : undefined)}
          >
            {place === 'user' ? t('Save to User Settings') : t('Save to Workspace Settings')}
          </button>
        ))}
        <Cancel link={link} />
      </div>
    </section>
  );
}
