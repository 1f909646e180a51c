import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DisclosureProps {
  readonly label: string;
  /** What is inside, in a few words. */
  readonly inside: string;
  readonly children: ComponentChildren;
}

/** Folded until asked for. */
export function Disclosure({ label, inside, children }: DisclosureProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div class="section">
      <button type="button" class="disclosure" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span>{label}</span>
        <span class="disclosure-inside">{inside}</span>
      </button>
      <div id={id} class="disclosure-content" hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}
