import { Late } from '../../base/late.ts';
import type { JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { maxCommand } from '../../contract/pages/pageLimits.ts';
import { Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { usePart } from '../shared/page.tsx';
import { AnswerContext, PageActionsContext } from '../shared/pageActions.tsx';
import { useExpiring } from '../shared/timers.ts';
import type { CodePiece } from './highlightCode.ts';

/** The longest code that can be copied; a message to the host carries no more. */
const maxCopiedLength = 1_000_000;

/** Languages whose blocks are commands for a terminal. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'fish', 'shell', 'powershell', 'pwsh', 'ps1', 'cmd', 'bat']);

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  /** The file that the block, or the text above it, names. */
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

/** Whether long lines wrap: those of plain text do, those of code mean something and scroll. */
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

const highlighterPart = new Late(() => import('./highlightCode.ts'));

/**
 * The pause before growing code is highlighted again, as a multiple of what the last highlighting took: it may use only a small
 * share of the time.
 */
const pausePerCost = 12;
const minPauseMs = 24;

interface Highlighted {
  readonly code: string;
  readonly language: string;
  readonly pieces: readonly CodePiece[];
  readonly costMs: number;
  readonly at: number;
}

/**
 * Highlights code. While it streams in, what came since the last highlighting follows as plain text for a moment: colours that
 * are shown never change back, and a long block does not cost its whole length at each frame.
 */
function useHighlighting(code: string, language: string): readonly CodePiece[] {
  const part = usePart(highlighterPart);
  const last = useRef<Highlighted | undefined>(undefined);
  const [, catchUp] = useState(0);
  const before = last.current;
  const isGrowing =
    before !== undefined && before.language === language && code.length > before.code.length && code.startsWith(before.code);
  const waitMs = part === undefined || !isGrowing ? 0 : waitFor(before, performance.now());
  useEffect(() => {
    if (waitMs <= 0) {
      return undefined;
    }
    const timer = setTimeout(() => catchUp((count) => count + 1), waitMs);
    return () => clearTimeout(timer);
  });
  if (part === undefined) {
    return [code];
  }
  if (waitMs > 0 && before !== undefined) {
    return [...before.pieces, code.slice(before.code.length)];
  }
  if (before?.code !== code || before.language !== language) {
    const since = performance.now();
    const pieces = part.highlightCode(code, language);
    const at = performance.now();
    last.current = { code, language, pieces, costMs: at - since, at };
  }
  return last.current?.pieces ?? [code];
}

function waitFor({ costMs, at }: Highlighted, now: number): number {
  return at + Math.max(minPauseMs, costMs * pausePerCost) - now;
}

/** Turns a scope such as "title.function" into the class names that the style sheet colours. */
export function scopeClass(scope: string): string {
  return scope
    .split('.')
    .map((part) => `code-${part.replace(/[^\w-]/g, '')}`)
    .join(' ');
}
