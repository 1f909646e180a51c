import type { JSX } from 'preact';

/** A codicon. Always decoration: what it means is said in words next to it. */
export function Icon({
  name,
  tone,
  spin = false,
}: {
  readonly name: string;
  readonly tone?: string;
  readonly spin?: boolean;
}): JSX.Element {
  return (
    <span
      class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}${tone === undefined ? '' : ` tone-${tone}`}`}
      aria-hidden="true"
    />
  );
}
