import type { JSX } from 'preact';
import type { TrafficStatus } from '../../contract/trafficMessages.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { methodsOf, peersOf, type TrafficFilter, type TrafficState } from './trafficState.ts';
import { peerName } from './trafficTexts.ts';

export interface TrafficBarProps {
  readonly state: TrafficState;
  readonly text: string;
  readonly filter: TrafficFilter;
  readonly shown: number;
  readonly onText: (text: string) => void;
  readonly onFilter: (filter: TrafficFilter) => void;
  readonly actions: TrafficActions;
}

export interface TrafficActions {
  readonly pause: (isPaused: boolean) => void;
  readonly keep: (isKept: boolean) => void;
  readonly clear: () => void;
  readonly exportShown: () => void;
}

const noStatus: TrafficStatus = { isPaused: false, isKept: false, since: 0 };

/** What is shown, and what is recorded. */
export function TrafficBar({ state, text, filter, shown, onText, onFilter, actions }: TrafficBarProps): JSX.Element {
  const { isPaused, isKept } = state.status ?? noStatus;
  return (
    <div class="traffic-bar">
      <div class="traffic-filters" role="search">
        <input
          type="search"
          class="input"
          aria-label={t('Filter')}
          placeholder={t('Filter')}
          value={text}
          maxLength={200}
          onInput={(event) => onText(event.currentTarget.value)}
        />
        <Choices state={state} filter={filter} onFilter={onFilter} />
        <Toggle
          icon="error"
          label={t('Only errors')}
          isOn={filter.isOnlyErrors}
          onToggle={() => onFilter({ ...filter, isOnlyErrors: !filter.isOnlyErrors })}
        />
      </div>
      <div class="traffic-buttons">
        <p role="status" class="secondary">
          {statusOf(state, shown)}
        </p>
        <Toggle
          icon={isPaused ? 'debug-continue' : 'debug-pause'}
          label={t('Pause')}
          isOn={isPaused}
          onToggle={() => actions.pause(!isPaused)}
        />
        <Toggle icon="record" label={t('Record while hidden')} isOn={isKept} onToggle={() => actions.keep(!isKept)} />
        <IconButton icon="clear-all" label={t('Clear')} onClick={actions.clear} />
        <IconButton icon="export" label={t('Export')} onClick={actions.exportShown} />
      </div>
    </div>
  );
}

function Choices({ state, filter, onFilter }: Pick<TrafficBarProps, 'state' | 'filter' | 'onFilter'>): JSX.Element {
  return (
    <>
      <select
        class="input"
        aria-label={t('Server or client')}
        value={filter.peerId}
        onChange={(event) => onFilter({ ...filter, peerId: event.currentTarget.value })}
      >
        <option value="">{t('All servers and clients')}</option>
        {[...peersOf(state.rows)].map(([id, peer]) => (
          <option key={id} value={id}>
            {peerName(peer)}
          </option>
        ))}
      </select>
      <select
        class="input"
        aria-label={t('Method')}
        value={filter.method}
        onChange={(event) => onFilter({ ...filter, method: event.currentTarget.value })}
      >
        <option value="">{t('All methods')}</option>
        {methodsOf(state.rows).map((method) => (
          <option key={method} value={method}>
            {method}
          </option>
        ))}
      </select>
    </>
  );
}

function Toggle(props: {
  readonly icon: string;
  readonly label: string;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}): JSX.Element {
  const { icon, label, isOn, onToggle } = props;
  return (
    <button type="button" class="icon-button is-toggle" aria-pressed={isOn} aria-label={label} title={label} onClick={onToggle}>
      <Icon name={icon} />
    </button>
  );
}

function IconButton({
  icon,
  label,
  onClick,
}: {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
}): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

function statusOf({ rows, dropped, status }: TrafficState, shown: number): string {
  const [some, all] = [shown.toLocaleString('en'), rows.size.toLocaleString('en')];
  const since = status === undefined ? '' : new Date(status.since).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  const count = shown === rows.size ? t('{0} messages since {1}', all, since) : t('{0} of {1} messages since {2}', some, all, since);
  const older = dropped === 0 ? [] : [t('{0} older ones made room', dropped.toLocaleString('en'))];
  return [...(status?.isPaused === true ? [t('Paused')] : []), count, ...older].join(' · ');
}
