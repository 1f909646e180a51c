import type { JSX } from 'preact';
import type { TrafficStatus } from '../../contract/pages/trafficMessages.ts';
import { IconButton } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { methodsOf, peerName, peersOf, statusText, type TrafficFilter, type TrafficState } from './trafficState.ts';

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

const noStatus: TrafficStatus = { isPaused: false, isKept: false, since: 0, hasGaps: false };

/** The bar with the filters for what is shown and the buttons for what is recorded. */
export function TrafficBar({ state, text, filter, shown, onText, onFilter, actions }: TrafficBarProps): JSX.Element {
  const { isPaused, isKept } = state.status ?? noStatus;
  const status = statusText(state, shown);
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
        <IconButton
          class="is-toggle"
          icon="error"
          label={t('Only errors')}
          aria-pressed={filter.isOnlyErrors}
          onClick={() => onFilter({ ...filter, isOnlyErrors: !filter.isOnlyErrors })}
        />
      </div>
      <div class="traffic-buttons">
        <p role="status" class="secondary" title={status}>
          {status}
        </p>
        <IconButton
          class="is-toggle"
          icon={isPaused ? 'debug-continue' : 'debug-pause'}
          label={t('Pause')}
          aria-pressed={isPaused}
          onClick={() => actions.pause(!isPaused)}
        />
        <IconButton
          class="is-toggle"
          icon="record"
          label={t('Record while hidden')}
          aria-pressed={isKept}
          onClick={() => actions.keep(!isKept)}
        />
        <IconButton icon="clear-all" label={t('Clear')} onClick={actions.clear} />
        <IconButton icon="export" label={t('Export')} onClick={actions.exportShown} />
      </div>
    </div>
  );
}

function Choices({ state, filter, onFilter }: Pick<TrafficBarProps, 'state' | 'filter' | 'onFilter'>): JSX.Element {
  const peers = peersOf(state.rows, filter);
  const choosePeer = (peerId: string): void => {
    const peer = peers.get(peerId);
    onFilter({ ...filter, peerId, peerName: peer === undefined ? '' : peerName(peer) });
  };
  return (
    <>
      <select
        class="input"
        aria-label={t('Server or client')}
        value={filter.peerId}
        onChange={(event) => choosePeer(event.currentTarget.value)}
      >
        <option value="">{t('All servers and clients')}</option>
        {[...peers].map(([id, peer]) => (
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
        {methodsOf(state.rows, filter.method).map((method) => (
          <option key={method} value={method}>
            {method}
          </option>
        ))}
      </select>
    </>
  );
}
