import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { trafficToHost, trafficToView } from '../../contract/trafficMessages.ts';
import type { HostLink } from '../link/hostLink.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { MessageDetails } from './messageDetails.tsx';
import { MessageGrid } from './messageGrid.tsx';
import { TrafficBar, type TrafficActions } from './trafficBar.tsx';
import { shownRows, type TrafficFilter, type TrafficState } from './trafficState.ts';

export interface TrafficAppProps {
  readonly state: TrafficState;
  readonly link: Pick<HostLink<typeof trafficToHost, typeof trafficToView>, 'send'>;
}

const everything: TrafficFilter = { peerId: '', method: '', isOnlyErrors: false };

export function TrafficApp({ state, link }: TrafficAppProps): JSX.Element {
  const [text, setText] = useState('');
  const [filter, setFilter] = useState(everything);
  const rows = useMemo(() => shownRows(state, filter), [state.rows, state.found, filter]);
  const { detail } = state;
  const selected = detail === undefined ? undefined : state.rows.get(detail.number);
  const [isClosed, setClosed] = useState(false);
  const select = (number: number | undefined): void => {
    setClosed(number === undefined);
    link.send('traffic/select', number === undefined ? {} : { number });
  };
  const actions: TrafficActions = {
    pause: (isPaused) => link.send('traffic/pause', { isPaused }),
    keep: (isKept) => link.send('traffic/keep', { isKept }),
    clear: () => link.send('traffic/clear', {}),
    exportShown: () => link.send('traffic/export', { numbers: rows.map(({ number }) => number) }),
  };
  const find = (wanted: string): void => {
    setText(wanted);
    link.send('traffic/find', { text: wanted });
  };
  return (
    <main class="traffic">
      <TrafficBar state={state} text={text} filter={filter} shown={rows.length} onText={find} onFilter={setFilter} actions={actions} />
      <div class="traffic-body">
        {state.rows.size === 0 ? (
          <Empty isReady={state.status !== undefined} onRunTool={() => link.send('traffic/runTool', {})} />
        ) : (
          <MessageGrid rows={rows} selected={isClosed ? undefined : detail?.number} onSelect={select} />
        )}
        {detail !== undefined && selected !== undefined && !isClosed && (
          <MessageDetails
            key={detail.number}
            row={selected}
            detail={detail}
            onSendAgain={() => link.send('traffic/sendAgain', { number: detail.number })}
            onExportScript={() => link.send('traffic/exportScript', { number: detail.number })}
            onClose={() => select(undefined)}
          />
        )}
      </div>
    </main>
  );
}

function Empty({ isReady, onRunTool }: { readonly isReady: boolean; readonly onRunTool: () => void }): JSX.Element {
  return (
    <div class="traffic-empty">
      {isReady && (
        <>
          <Icon name="arrow-swap" tone="quiet" />
          <p>{t('Every message to and from your servers and outside clients appears here.')}</p>
          <p class="secondary">{t('Recording began when this view was opened.')}</p>
          <button type="button" class="button is-primary" onClick={onRunTool}>
            {t('Run a tool')}
          </button>
        </>
      )}
    </div>
  );
}
