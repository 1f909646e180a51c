// details/: what a question is about, drawn for each kind of question, and the words for it.
import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { unreachable } from '../../../base/errors.ts';
import type { Question } from '../../../contract/questions/questions.ts';
import type { SendConversationQuestion } from '../../../contract/questions/sentContent.ts';
import type {
  ElicitationQuestion,
  RootsQuestion,
  SignInQuestion,
  StartServerQuestion,
} from '../../../contract/questions/serverQuestions.ts';
import type { SeeEditorQuestion } from '../../../contract/questions/toolQuestions.ts';
import { Disclosure, Icon } from '../../shared/elements.tsx';
import { formatBytes, formatNumber, plural } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { ShowDefinitionContext } from '../../shared/pageActions.tsx';
import { wholeText } from '../../shared/wholeText.ts';
import type { AnswerDraft } from '../answerDraft.ts';
import { AppActDetails, ShowAppDetails } from './appDetails.tsx';
import { BoxDetails, ObstacleNote } from './boxDetails.tsx';
import { CallToolDetails, CallToolFolds } from './callToolDetails.tsx';
import { ActFacts, ClientActDetails, ConnectClientDetails, UnsavedNote } from './clientDetails.tsx';
import { AnswerField, type FormDraft } from '../../forms/flatForm.tsx';
import { type Known, knownOfAct, knownOfCall } from './knowledgeTexts.ts';
import { KnownFold } from '../knownFold.tsx';
import { changeNote, startHolds, whatHappens, whoAsks } from './questionTexts.ts';
import { SamplingDetails, SamplingResponseDetails } from './samplingDetails.tsx';
import { SendContentDetails } from './sendContentDetails.tsx';
import { disclosureText, fieldText, valueNote } from './startNoteTexts.ts';

export interface QuestionDetailsProps {
  readonly question: Question;
  readonly draft: AnswerDraft;
  readonly from: 'chat' | 'panel';
}

/** What must be seen of a question before it is allowed. */
export function QuestionDetails({ question, draft }: Omit<QuestionDetailsProps, 'from'>): JSX.Element {
  const { detail } = question;
  switch (detail.kind) {
    case 'startServer':
      return <StartServerDetails detail={detail} askId={question.askId} draft={draft} />;
    case 'callTool':
      return <CallToolDetails detail={detail} draft={draft} isRead={question.isRead === true} />;
    case 'connectClient':
      return <ConnectClientDetails detail={detail} draft={draft} />;
    case 'clientAct':
      return <ClientActDetails detail={detail} />;
    case 'ownAct':
      return (
        <>
          <ActFacts what={detail.what} />
          <UnsavedNote paths={detail.unsaved} />
        </>
      );
    case 'roots':
      return <RootsDetails detail={detail} />;
    case 'sampling':
      return <SamplingDetails detail={detail} draft={draft.sampling} />;
    case 'samplingResponse':
      return <SamplingResponseDetails detail={detail} draft={draft.sampling} />;
    case 'elicitation':
      return <ElicitationDetails detail={detail} form={draft.form} />;
    case 'signIn':
      return <SignInDetails detail={detail} />;
    case 'sendConversation':
      return <SendConversationDetails detail={detail} />;
    case 'seeEditor':
      return <SeeEditorDetails detail={detail} />;
    case 'sendContent':
      return <SendContentDetails detail={detail} secrets={draft.secrets} canRemember={question.choices.includes('allowSession')} />;
    case 'showApp':
      return <ShowAppDetails detail={detail} />;
    case 'appAct':
      return <AppActDetails detail={detail} />;
    default:
      return unreachable(detail);
  }
}

/** What Duplex itself knows about what is asked. A finding stands above the answers and must be seen; the rest is folded below them. */
export function Findings(props: QuestionDetailsProps): JSX.Element | null {
  const known = knownOf(props);
  return known?.isFinding === true ? <KnownFold known={known} /> : null;
}

/** What can be looked up about a question: it stands below the answers, folded. */
export function QuestionFolds(props: QuestionDetailsProps): JSX.Element {
  const { question, draft } = props;
  const { detail } = question;
  const known = knownOf(props);
  return (
    <div class="question-folds">
      {known?.isFinding === false && <KnownFold known={known} />}
      {detail.kind === 'seeEditor' && <SeeEditorTools tools={detail.tools} />}
      {detail.kind === 'startServer' && <p class="secondary">{startHolds(detail)}</p>}
      {detail.kind === 'startServer' && detail.box?.isPreselected === false && <ObstacleNote box={detail.box} />}
      {detail.kind === 'callTool' && <CallToolFolds detail={detail} draft={draft} isRead={question.isRead === true} />}
    </div>
  );
}

export function knownOf({ question, draft, from }: QuestionDetailsProps): Known | undefined {
  const { detail } = question;
  if (detail.kind !== 'callTool') {
    return detail.kind === 'ownAct' ? knownOfAct(detail.knows) : undefined;
  }
  // That an address tells the server something is said above: it is what the question is about.
  const standing = [...(detail.reads === undefined ? [whatHappens(question)] : []), whoAsks(question, from)];
  return knownOfCall(detail, standing, question.why === 'changed' ? changeNote(question) : undefined, draft.args.isChanged);
}

interface StartServerProps {
  readonly detail: StartServerQuestion;
  readonly askId: string;
  readonly draft: AnswerDraft;
}

/** Shows every field of a server definition whole: nothing is cut, folded or scrolled out of view. */
function StartServerDetails({ detail, askId, draft }: StartServerProps): JSX.Element {
  const showDefinition = useContext(ShowDefinitionContext);
  return (
    <>
      <dl class="facts" aria-label={t('Definition')}>
        {detail.fields.map(({ name, value, isDangerous, isHidden = false, note }, index) => (
          <div class={isDangerous ? 'fact is-dangerous' : 'fact'} key={index}>
            <dt>{wholeText(name)}</dt>
            <dd>
              <span class="fact-value">{wholeText(fieldText(name, value))}</span>
              {note !== undefined && <span class="secondary"> {valueNote(note)}</span>}
              {isHidden && <HiddenNote onShow={() => showDefinition(askId)} />}
              {isDangerous && (
                <span class="danger-mark">
                  <Icon name="warning" tone="warning" />
                  {t('Dangerous: can change what runs')}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {detail.disclosures.length > 0 && (
        <ul class="disclosures" aria-label={t('What it is given')}>
          {detail.disclosures.map((disclosure, index) => (
            <li key={index}>
              <Icon name="key" />
              <span>{disclosureText(disclosure)}</span>
            </li>
          ))}
        </ul>
      )}
      {detail.box !== undefined && <BoxDetails box={detail.box} draft={draft} />}
    </>
  );
}

function HiddenNote({ onShow }: { readonly onShow: () => void }): JSX.Element {
  return (
    <>
      <span> {t('(set, not shown: it looks like a secret)')}</span>
      <button type="button" class="link-button" title={t('Opens the definition in its file')} onClick={onShow}>
        {t('Show')}
      </button>
    </>
  );
}

function RootsDetails({ detail }: { readonly detail: RootsQuestion }): JSX.Element {
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

function ElicitationDetails({ detail, form }: { readonly detail: ElicitationQuestion; readonly form: FormDraft }): JSX.Element {
  const { request } = detail;
  return (
    <>
      <div class="section">
        <div class="section-label">{t('The server says')}</div>
        <p class="whole-text">{wholeText(detail.message)}</p>
      </div>
      {request.mode === 'form' ? (
        request.fields.map((field) => <AnswerField key={field.name} field={field} form={form} />)
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

function SignInDetails({ detail }: { readonly detail: SignInQuestion }): JSX.Element {
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

/** Says how much of the conversation would go, and to whom. */
function SendConversationDetails({ detail }: { readonly detail: SendConversationQuestion }): JSX.Element {
  const facts: readonly (readonly [string, string])[] = [
    [t('To'), wholeText(detail.destination)],
    [t('Messages'), formatNumber(detail.messages)],
    [t('Images'), formatNumber(detail.images)],
    [t('Size'), formatBytes(detail.bytes)],
  ];
  return (
    <dl class="facts" aria-label={t('What would be sent')}>
      {facts.map(([name, value]) => (
        <div class="fact" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows the waiting call, for those who allow only that. */
function SeeEditorDetails({ detail }: { readonly detail: SeeEditorQuestion }): JSX.Element {
  return (
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
  );
}

/** All tools that a remembered answer covers. */
function SeeEditorTools({ tools }: Pick<SeeEditorQuestion, 'tools'>): JSX.Element {
  return (
    <Disclosure
      label={t('Tools')}
      inside={plural(
        tools.length,
        () => t('1, for which a remembered answer holds'),
        (count) => t('{0}, for all of which a remembered answer holds', count),
      )}
    >
      <ul class="tool-names" aria-label={t('Tools')}>
        {tools.map((name) => (
          <li key={name}>{wholeText(name)}</li>
        ))}
      </ul>
    </Disclosure>
  );
}
