import { Fragment, type JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ClientActQuestion, ConnectClientQuestion, ShownChain, ShownScript } from '../../../contract/questions/clientQuestions.ts';
import { Icon } from '../../shared/elements.tsx';
import { editableJson } from '../../shared/jsonText.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';
import type { AnswerDraft } from '../answerDraft.ts';
import { credentialLabel, roleLabel, roleMeaning, transportLabel } from './clientTexts.ts';

type Identity = Pick<ConnectClientQuestion, 'transport' | 'credential' | 'credentialId'>;

export function ConnectClientDetails({
  detail,
  draft,
}: {
  readonly detail: ConnectClientQuestion;
  readonly draft: AnswerDraft;
}): JSX.Element {
  return (
    <>
      {detail.pairingCode !== undefined && <PairingCode code={detail.pairingCode} />}
      <RoleChoice roles={detail.roles} draft={draft} />
      <IdentityFacts identity={detail} />
    </>
  );
}

/** The code that the person compares with the page in the browser. Nothing is typed. */
function PairingCode({ code }: { readonly code: string }): JSX.Element {
  const id = useId();
  return (
    <div class="section">
      <label class="section-label" for={id}>
        {t('Pairing code')}
      </label>
      <input id={id} class="input pairing-code" type="text" readOnly value={wholeText(code)} aria-describedby={`${id}-help`} />
      <p id={`${id}-help`} class="secondary">
        {t('Allow only if the page in your browser shows the same code.')}
      </p>
    </div>
  );
}

function RoleChoice({ roles, draft }: { readonly roles: ConnectClientQuestion['roles']; readonly draft: AnswerDraft }): JSX.Element {
  const id = useId();
  return (
    <div class="section" role="radiogroup" aria-labelledby={`${id}-role`}>
      <div class="section-label" id={`${id}-role`}>
        {t('Role')}
      </div>
      {roles.map((role) => (
        <div class="role" key={role}>
          <input
            type="radio"
            id={`${id}-${role}`}
            name={`${id}-roles`}
            checked={draft.role === role}
            aria-describedby={`${id}-${role}-meaning`}
            onChange={() => draft.setRole(role)}
          />
          <div>
            <label for={`${id}-${role}`}>{roleLabel(role)}</label>
            <div class="secondary" id={`${id}-${role}-meaning`}>
              {roleMeaning(role)}
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}

/** Shows first exactly what would be done, whole, and then who would do it. */
export function ClientActDetails({ detail }: { readonly detail: ClientActQuestion }): JSX.Element {
  return (
    <>
      <ActFacts what={detail.what} />
      <UnsavedNote paths={detail.unsaved} />
      <dl class="facts" aria-label={t('Client')}>
        <Fact name={t('Tool')} value={detail.tool} />
        <Fact name={t('Role')} value={roleLine(detail)} isWords />
        <CredentialFacts identity={detail} />
      </dl>
    </>
  );
}

export function ActFacts({ what }: { readonly what: ClientActQuestion['what'] }): JSX.Element {
  switch (what.kind) {
    case 'call':
      return <Code label={t('Arguments')} text={editableJson(what.arguments)} />;
    case 'read':
      return <Code label={t('Resource')} text={what.uri} />;
    case 'command':
      return <CommandFacts what={what} />;
    case 'input':
      return (
        <>
          <Code label={t('Typed text (⏎ is the Enter key, ⇥ the Tab key)')} text={keysText(what.text)} />
          <Code label={t('Command that runs')} text={what.commandLine} />
        </>
      );
    case 'script':
      return <Scripts scripts={[what, ...(what.next ?? [])]} />;
    case 'task':
      return (
        <>
          <Code label={t('Task')} text={what.name} />
          <Code label={t('Definition')} text={editableJson(what.definition)} />
          <RunChain chain={what.chain} />
        </>
      );
    case 'save':
      return <Code label={t('File')} text={what.path} />;
    case 'codeAction':
      return (
        <>
          <Code label={t('Action')} text={what.title} />
          <Code label={t('File')} text={what.path} />
          <Code label={t('Command')} text={editableJson(what.command)} />
        </>
      );
    case 'debug':
    case 'debugCode':
    case 'debugSession':
      return <DebugFacts what={what} />;
  }
}

type DebugAct = Extract<ClientActQuestion['what'], { kind: 'debug' | 'debugCode' | 'debugSession' }>;

/** Shows what would be debugged or in which session, and each piece of code whole, under its place. */
function DebugFacts({ what }: { readonly what: DebugAct }): JSX.Element {
  const code = what.kind === 'debugSession' ? [] : (what.code ?? []);
  return (
    <>
      {what.kind === 'debug' ? (
        <>
          <Code label={t('Debug configuration')} text={what.name} />
          <Code label={t('Definition')} text={editableJson(what.definition)} />
          <RunChain chain={what.chain} />
        </>
      ) : (
        <Code label={t('Debug session')} text={what.session ?? ''} />
      )}
      {code.map(({ place, text }, index) => (
        <Code key={index} label={t('Code for {0}', wholeText(place))} text={text} />
      ))}
    </>
  );
}

/** Makes the keys of a typed text visible; the same signs, where they are a part of the text, become something else. */
function keysText(text: string): string {
  const own = text.replaceAll('⏎', '⟨U+23CE⟩').replaceAll('⇥', '⟨U+21E5⟩');
  return own.replaceAll('\t', '⇥').replaceAll('\n', '⏎\n').trimEnd();
}

type CommandAct = Extract<ClientActQuestion['what'], { kind: 'command' }>;

function CommandFacts({ what }: { readonly what: CommandAct }): JSX.Element {
  return (
    <>
      <Code label={t('Command')} text={what.commandLine} />
      <Code label={t('Folder')} text={what.cwd} />
      <Code label={t('Ran in this terminal before: what it left behind decides, too, what runs')} text={earlierText(what)} />
      <Code label={t('Terminal')} text={editableJson(what.terminal)} />
    </>
  );
}

function earlierText({ earlier = [], moreEarlier = 0 }: CommandAct): string {
  const before = moreEarlier > 0 ? [t('… {0} more before', moreEarlier)] : [];
  return [...before, ...earlier.map((line) => `$ ${line}`)].join('\n');
}

/** Names every file with unsaved changes, which the run would not see. */
export function UnsavedNote({ paths = [] }: { readonly paths?: readonly string[] | undefined }): JSX.Element {
  return <Code label={t('Unsaved: what runs sees these files without your latest changes')} text={paths.join('\n')} />;
}

function IdentityFacts({ identity }: { readonly identity: Identity }): JSX.Element {
  return (
    <dl class="facts" aria-label={t('Connection')}>
      <CredentialFacts identity={identity} />
    </dl>
  );
}

function CredentialFacts({ identity }: { readonly identity: Identity }): JSX.Element {
  return (
    <>
      <Fact name={t('Credential')} value={credentialLabel(identity)} isWords />
      <Fact name={t('Known here as')} value={identity.credentialId} />
      <Fact name={t('Transport')} value={transportLabel(identity.transport)} isWords />
    </>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  /** Whether the value is a sentence of ours, and no name that somebody else chose. */
  readonly isWords?: boolean;
}

function Fact({ name, value, isWords = false }: FactProps): JSX.Element {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd class={isWords ? 'is-words' : undefined}>{wholeText(value)}</dd>
    </div>
  );
}

function roleLine({ role, neededRole }: ClientActQuestion): string {
  return neededRole === undefined ? roleLabel(role) : t('{0}; this takes {1}', roleLabel(role), roleLabel(neededRole));
}

/** Shows every script that runs with the command, each whole, and which parts cannot be known. */
/** Shows commands that run one after the other, in several folders if there are several. */
function Scripts({ scripts }: { readonly scripts: readonly ShownScript[] }): JSX.Element {
  return (
    <>
      {scripts.map(({ commandLine, definition = '', cwd, chain }, index) => {
        const number = scripts.length > 1 ? ` (${index + 1})` : '';
        return (
          <Fragment key={index}>
            <Code label={`${t('Command')}${number}`} text={commandLine} />
            <Code label={`${t('Definition')}${number}`} text={editableJson(definition)} />
            <Code label={`${t('Folder')}${number}`} text={cwd} />
            <Steps steps={chain.steps} number={number} />
          </Fragment>
        );
      })}
      <Unknown parts={[...new Set(scripts.flatMap(({ chain }) => chain.unknown))]} />
    </>
  );
}

function RunChain({ chain }: { readonly chain: ShownChain }): JSX.Element {
  return (
    <>
      <Steps steps={chain.steps} />
      <Unknown parts={chain.unknown} />
    </>
  );
}

function Steps({ steps, number = '' }: { readonly steps: ShownChain['steps']; readonly number?: string }): JSX.Element {
  return (
    <>
      {steps.map(({ name, text }) => (
        <Code key={name} label={`${t('Script {0}', wholeText(name))}${number}`} text={text} />
      ))}
    </>
  );
}

function Unknown({ parts }: { readonly parts: readonly string[] }): JSX.Element | null {
  const id = useId();
  return parts.length === 0 ? null : (
    <div class="section">
      <div class="section-label" id={id}>
        <Icon name="warning" tone="warning" />
        {t('Duplex cannot tell what else these parts run, so this can be allowed only once')}
      </div>
      <pre class="act-text" tabIndex={0} role="region" aria-labelledby={id}>
        {wholeText(parts.join('\n'))}
      </pre>
    </div>
  );
}

/** Shows a text whole: the element has no scrolling of its own that could hide a part, and the keyboard reaches it. */
function Code({ label, text }: { readonly label: string; readonly text: string }): JSX.Element | null {
  const id = useId();
  return text === '' ? null : (
    <div class="section">
      <div class="section-label" id={id}>
        {label}
      </div>
      <pre class="act-text" tabIndex={0} role="region" aria-labelledby={id}>
        {wholeText(text)}
      </pre>
    </div>
  );
}
