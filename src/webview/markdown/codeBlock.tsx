import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { useExpiring } from '../shared/useExpiring.ts';
import { scopeClass, type CodePiece } from './codePiece.ts';
import { PageActionsContext } from './pageActions.ts';
import { useHighlighting } from './useHighlighting.ts';

/** More than a message may carry. */
const maxCopiedLength = 1_000_000;

export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }): JSX.Element {
  const actions = useContext(PageActionsContext);
  const [isCopied, markCopied] = useExpiring(1500);
  return (
    <div class="code-block">
      <div class="code-bar">
        <span class="code-language">{language}</span>
        {code !== '' && code.length <= maxCopiedLength && (
          <span class="code-actions">
            <button
              type="button"
              class="tool-button"
              onClick={() => {
                actions.copyCode(code);
                markCopied();
              }}
            >
              <Icon name={isCopied ? 'check' : 'copy'} />
              {isCopied ? t('Copied') : t('Copy')}
            </button>
            <button
              type="button"
              class="tool-button"
              title={t('Insert at the cursor of the last active editor')}
              aria-label={t('Insert')}
              onClick={() => actions.insertCode(code)}
            >
              <Icon name="insert" />
              {t('Insert')}
            </button>
          </span>
        )}
      </div>
      <HighlightedCode code={code} language={language} />
    </div>
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
