import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { maxCommand } from '../../contract/pageLimits.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { useExpiring } from '../shared/useExpiring.ts';
import { scopeClass, type CodePiece } from './codePiece.ts';
import { AnswerContext, PageActionsContext } from './pageActions.ts';
import { useHighlighting } from './useHighlighting.ts';

/** More than a message may carry. */
const maxCopiedLength = 1_000_000;

/** Languages whose blocks are commands for a terminal. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'fish', 'shell', 'powershell', 'pwsh', 'ps1', 'cmd', 'bat']);

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  /** As the block or the text above it names it. */
  readonly file?: string | undefined;
}

export function CodeBlock({ code, language, file }: CodeBlockProps): JSX.Element {
  return (
    <div class="code-block">
      <div class="code-bar">
        <span class="code-language" title={file ?? language}>
          {file ?? language}
        </span>
        {code !== '' && code.length <= maxCopiedLength && <CodeActions code={code} language={language} file={file} />}
      </div>
      <HighlightedCode code={code} language={language} />
    </div>
  );
}

function CodeActions({ code, language, file }: CodeBlockProps): JSX.Element {
  const actions = useContext(PageActionsContext);
  const answer = useContext(AnswerContext);
  const [isCopied, markCopied] = useExpiring(1500);
  const copy = (): void => {
    actions.copyCode(code);
    markCopied();
  };
  const isShell = shells.has(language.toLowerCase());
  const applies =
    file === undefined ? t('Apply to the last active editor: shown as a diff first') : t('Apply to {0}: shown as a diff first', file);
  return (
    <span class="code-actions">
      <CodeAction label={isCopied ? t('Copied') : t('Copy')} icon={isCopied ? 'check' : 'copy'} run={copy} />
      <CodeAction
        label={t('Insert')}
        icon="insert"
        title={t('Insert at the cursor of the last active editor')}
        run={() => actions.insertCode(code)}
      />
      {answer !== undefined && !isShell && (
        <CodeAction label={t('Apply')} icon="diff" title={applies} run={() => actions.applyCode(answer, code, file)} />
      )}
      {answer !== undefined && isShell && code.length <= maxCommand && (
        <CodeAction
          label={t('Run in terminal')}
          icon="terminal"
          title={t('Run in terminal: you are asked first')}
          run={() => actions.runCode(answer, code)}
        />
      )}
    </span>
  );
}

interface CodeActionProps {
  readonly label: string;
  readonly icon: string;
  readonly title?: string;
  readonly run: () => void;
}

function CodeAction({ label, icon, title, run }: CodeActionProps): JSX.Element {
  return (
    <button type="button" class="tool-button" title={title ?? label} aria-label={label} onClick={run}>
      <Icon name={icon} />
      <span class="tool-label">{label}</span>
    </button>
  );
}

export function HighlightedCode({
  code,
  language,
  label,
}: {
  readonly code: string;
  readonly language: string;
  readonly label?: string;
}): JSX.Element {
  const pieces = useHighlighting(code, language);
  return (
    <pre class={isPlainText(language) ? 'code is-wrapped' : 'code'} tabIndex={0} aria-label={label ?? t('Code')} role="group">
      <code>{pieces.map(drawPiece)}</code>
    </pre>
  );
}

/** Text wraps, code scrolls: its lines mean something. */
function isPlainText(language: string): boolean {
  return ['text', 'txt', 'plaintext'].includes(language.toLowerCase());
}

function drawPiece(piece: CodePiece, index: number): string | JSX.Element {
  return typeof piece === 'string' ? (
    piece
  ) : (
    <span key={index} class={scopeClass(piece.scope)}>
      {piece.pieces.map(drawPiece)}
    </span>
  );
}
