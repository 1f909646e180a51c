import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ShownChain } from '../../contract/questions/clientQuestions.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';

/** Every script that runs with it, each whole, and what cannot be known. */
export function RunChain({ chain }: { readonly chain: ShownChain }): JSX.Element {
  return (
    <>
      {chain.steps.map(({ name, text }) => (
        <Code key={name} label={t('Script {0}', wholeText(name))} text={text} />
      ))}
      <Unknown parts={chain.unknown} />
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

/** Whole: it has no scrolling of its own that could hide a part; the keyboard reaches it. */
export function Code({ label, text }: { readonly label: string; readonly text: string }): JSX.Element | null {
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
