import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { unreachable } from '../../../base/errors.ts';
import type { StartServerQuestion } from '../../../contract/questions/serverQuestions.ts';
import { Icon } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';
import type { AnswerDraft } from '../answerDraft.ts';

type Box = NonNullable<StartServerQuestion['box']>;

interface BoxDetailsProps {
  readonly box: Box;
  readonly draft: Pick<AnswerDraft, 'isConfined' | 'setConfined'>;
}

/** Says why a server cannot run confined. Where its definition asks for that, it stands among what must be seen, else below the answers. */
export function ObstacleNote({ box }: { readonly box: Box }): JSX.Element | null {
  return box.obstacle === undefined ? null : (
    <p class="secondary box-obstacle">
      <Icon name="warning" tone="warning" /> {obstacleWords(box.obstacle)}
    </p>
  );
}

/** Lets the person choose whether a server runs confined. How far it then reaches must have been in view, like everything a yes covers. */
export function BoxDetails({ box, draft }: BoxDetailsProps): JSX.Element | null {
  const id = useId();
  const { obstacle, notApplied } = box;
  if (obstacle !== undefined) {
    return box.isPreselected ? (
      <>
        <ObstacleNote box={box} />
        <EditorRules box={box} />
      </>
    ) : null;
  }
  return (
    <div class="section box">
      <div class="role">
        <input
          type="checkbox"
          id={id}
          checked={draft.isConfined}
          aria-describedby={`${id}-note`}
          onChange={(event) => draft.setConfined(event.currentTarget.checked)}
        />
        <label for={id}>{t('Run confined')}</label>
      </div>
      <p id={`${id}-note`} class="secondary">
        {draft.isConfined
          ? t('It gets no more than what is listed here. It still asks for everything else.')
          : t('It can read and change all your files, and reach every address.')}
      </p>
      {draft.isConfined && <Reach box={box} />}
      {draft.isConfined && notApplied.length > 0 && (
        <p class="secondary">
          <Icon name="warning" tone="warning" />{' '}
          {t('Its definition asks for more and does not get it: {0}', wholeText(notApplied.join(', ')))}
        </p>
      )}
      <EditorRules box={box} />
    </div>
  );
}

/** Says that VS Code's own rules for confining a server do not hold here. */
function EditorRules({ box }: { readonly box: Box }): JSX.Element | null {
  return box.isOfEditor === true ? (
    <p class="secondary">{t('Its file asks VS Code to confine it. VS Code’s own rules for that are not applied here.')}</p>
  ) : null;
}

function Reach({ box }: { readonly box: Box }): JSX.Element {
  const facts: readonly (readonly [string, readonly string[]])[] = [
    [t('Reads'), [...box.read, t('programs and libraries of the system')]],
    [t('Writes'), [...box.write, t('a folder of its own')]],
    [t('Reaches'), box.hosts.length === 0 ? [t('no network')] : box.hosts.map((host) => (host === '*' ? t('* (every host)') : host))],
    ...(box.isFetched ? [[t('Before'), [t('its packages are fetched, with a way to the registry alone')]] as const] : []),
  ];
  // Each place is a field of its own: joined, two could pretend to be one.
  const rows = facts.flatMap(([name, values]) => values.map((value) => [name, value] as const));
  return (
    <dl class="facts" aria-label={t('How far it reaches')}>
      {rows.map(([name, value], index) => (
        <div class="fact" key={index}>
          <dt>{name}</dt>
          <dd>
            <span class="fact-value">{wholeText(value)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function obstacleWords(obstacle: NonNullable<Box['obstacle']>): string {
  switch (obstacle.kind) {
    case 'system':
      return t('It cannot run confined: Duplex confines servers on Linux and macOS only.');
    case 'debugged':
      return t('It cannot run confined while it is debugged.');
    case 'missing':
      return t('It cannot run confined: install {0} with the package manager of your system first.', wholeText(obstacle.program));
    case 'fetches':
      return t(
        'It cannot run confined: {0} fetches what it runs. Install the server and name its own program instead.',
        wholeText(obstacle.program),
      );
    case 'elsewhere':
      return t(
        'It cannot run confined: {0} hands it to a service, which runs it outside of any box. How far it reaches there is for {0} to say.',
        wholeText(obstacle.program),
      );
    case 'unreliable':
      return [
        t('It cannot run confined: a box was tried on this machine, and cannot be relied on.'),
        ...obstacle.probes.map(probeWords),
        ...(obstacle.said === '' ? [] : [wholeText(obstacle.said)]),
      ].join(' ');
    default:
      return unreachable(obstacle);
  }
}

function probeWords(probe: Extract<NonNullable<Box['obstacle']>, { kind: 'unreliable' }>['probes'][number]): string {
  switch (probe) {
    case 'starts':
      return t('Nothing could be run in it.');
    case 'reads':
      return t('A file was read that it must not read.');
    case 'writes':
      return t('A file was changed that it must not change.');
    case 'connects':
      return t('A port or socket of this machine was reached that it must not reach.');
    case 'works':
      return t('What it may use could not be used.');
    default:
      return unreachable(probe);
  }
}
