import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../shared/localize.ts';

interface LeaveOutProps {
  /** For those who do not see what it stands beside. */
  readonly what: string;
  readonly isLeftOut: boolean;
  readonly onChange: (isLeftOut: boolean) => void;
}

/** Ticked, what it stands beside does not go along. */
export function LeaveOut({ what, isLeftOut, onChange }: LeaveOutProps): JSX.Element {
  const id = useId();
  return (
    <span class="role leave-out">
      <input
        type="checkbox"
        id={id}
        checked={isLeftOut}
        aria-label={t('Leave out {0}', what)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{t('Leave out')}</label>
    </span>
  );
}
