import type { JSX } from 'preact';
import { Icon } from '../shared/icon.tsx';

export function Problem({ id, text }: { readonly id: string; readonly text: string | undefined }): JSX.Element {
  return (
    <div id={id} class="field-problem" aria-live="polite">
      {text !== undefined && (
        <>
          <Icon name="error" tone="error" />
          <span>{text}</span>
        </>
      )}
    </div>
  );
}

export function Remark({ text }: { readonly text: string | undefined }): JSX.Element | null {
  return text === undefined ? null : (
    <div class="argument-remark">
      <Icon name="warning" tone="warning" />
      <span>{text}</span>
    </div>
  );
}
