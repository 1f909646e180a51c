import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RunnerTool } from '../../contract/runnerMessages.ts';
import { PageActionsContext, type PageActions } from '../markdown/pageActions.ts';
import { claimsLine } from '../question/questionTexts.ts';
import { Disclosure } from '../shared/disclosure.tsx';
import { formatBytes } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { KeptDraft } from './keptDraft.ts';
import { RunnerForm } from './runnerForm.tsx';
import { RunnerResult } from './runnerResult.tsx';
import { serverNote } from './runnerTexts.ts';
import type { RunnerIntents, RunnerView } from './runnerView.ts';

export interface RunnerAppProps {
  readonly view: RunnerView;
  readonly intents: RunnerIntents;
  readonly draft: Pick<KeptDraft, 'text' | 'isRestored'>;
}

export function RunnerApp({ view, intents, draft }: RunnerAppProps): JSX.Element {
  const { tool, run, kept } = view;
  const actions = useMemo((): PageActions => {
    const nothing = (): void => undefined;
    return {
      openLink: intents.openLink,
      openResource: intents.openResource,
      openFile: nothing,
      copyCode: nothing,
      insertCode: nothing,
      applyCode: nothing,
      runCode: nothing,
    };
  }, [intents]);
  if (tool === undefined) {
    return <main class="runner" />;
  }
  return (
    <PageActionsContext.Provider value={actions}>
      <main class="runner">
        <Heading tool={tool} />
        {/* Anew once its parameters are known: the form, with what is typed already. */}
        <RunnerForm key={String(tool.isKnown)} {...{ tool, run, kept, intents }} typed={draft.text} takesFocus={!draft.isRestored} />
        <RunnerResult tool={tool} run={run} intents={intents} />
      </main>
    </PageActionsContext.Provider>
  );
}

/** Longer ones are folded: who runs a tool by hand mostly knows it. */
const maxDescription = 400;

function Heading({ tool }: { readonly tool: RunnerTool }): JSX.Element {
  const { server, title, description, claims, state } = tool;
  const note = serverNote(state);
  const text = wholeText(description.trim());
  return (
    <header class="runner-head">
      <h1>{wholeText(title ?? tool.tool)}</h1>
      <p class="secondary">{title === undefined ? wholeText(server) : `${wholeText(server)} · ${wholeText(tool.tool)}`}</p>
      {text !== '' && text.length <= maxDescription && <p class="whole-text">{text}</p>}
      {text.length > maxDescription && (
        <Disclosure label={t('Description')} inside={formatBytes(text.length)}>
          <p class="whole-text">{text}</p>
        </Disclosure>
      )}
      {claims.length > 0 && <p class="secondary">{claimsLine(claims)}</p>}
      {note !== undefined && (
        <p class="runner-note" role="status">
          <Icon name="info" tone="quiet" />
          {note}
        </p>
      )}
    </header>
  );
}
