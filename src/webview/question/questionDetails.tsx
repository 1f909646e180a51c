import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { unreachable } from '../../base/errors.ts';
import type { Question } from '../../contract/questions.ts';
import type { StartServerQuestion } from '../../contract/questions/startQuestion.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { AnswerDraft } from './answerDraft.ts';
import { CallToolDetails } from './callToolDetails.tsx';
import { ActFacts, ClientActDetails, ConnectClientDetails, UnsavedFiles } from './clientDetails.tsx';
import { SeeEditorDetails } from './seeEditorDetails.tsx';
import { SendContentDetails } from './sendContentDetails.tsx';
import { carriedLines } from './knowledgeTexts.ts';
import { KnownLines } from './knownLines.tsx';
import { SendConversationDetails } from './sendConversationDetails.tsx';
import { SamplingDetails, SamplingResponseDetails } from './samplingDetails.tsx';
import { ElicitationDetails, RootsDetails, SignInDetails } from './serverRequestDetails.tsx';
import { ShowDefinitionContext } from './showDefinition.ts';

export function QuestionDetails({ question, draft }: { readonly question: Question; readonly draft: AnswerDraft }): JSX.Element {
  const { detail } = question;
  switch (detail.kind) {
    case 'startServer':
      return <StartServerDetails detail={detail} askId={question.askId} />;
    case 'callTool':
      return <CallToolDetails detail={detail} draft={draft} isRead={question.isRead === true} hasChanged={question.why === 'changed'} />;
    case 'connectClient':
      return <ConnectClientDetails detail={detail} draft={draft} />;
    case 'clientAct':
      return <ClientActDetails detail={detail} />;
    case 'ownAct':
      return (
        <>
          <ActFacts what={detail.what} />
          <UnsavedFiles paths={detail.unsaved} />
          <KnownLines lines={carriedLines(detail.knows)} />
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
    default:
      return unreachable(detail);
  }
}

interface StartServerProps {
  readonly detail: StartServerQuestion;
  readonly askId: string;
}

/** Every field whole: nothing is cut, folded or scrolled out of view. */
function StartServerDetails({ detail, askId }: StartServerProps): JSX.Element {
  const showDefinition = useContext(ShowDefinitionContext);
  return (
    <>
      <dl class="facts" aria-label={t('Definition')}>
        {detail.fields.map(({ name, value, isDangerous, isHidden = false }, index) => (
          <div class={isDangerous ? 'fact is-dangerous' : 'fact'} key={index}>
            <dt>{wholeText(name)}</dt>
            <dd>
              <span class="fact-value">{wholeText(value)}</span>
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
          {detail.disclosures.map(({ name, destination }, index) => (
            <li key={index}>
              <Icon name="key" />
              <span>{t('sends {0} to {1}', wholeText(name), wholeText(destination))}</span>
            </li>
          ))}
        </ul>
      )}
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
