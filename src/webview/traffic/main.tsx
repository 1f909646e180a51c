// traffic/: the page with every protocol message of this window.
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { TrafficRow, TrafficStatus, trafficToHost, trafficToView } from '../../contract/pages/trafficMessages.ts';
import { Icon } from '../shared/elements.tsx';
import { type HostLink, openHostLink } from '../shared/hostLink.ts';
import { t } from '../shared/localize.ts';
import { startPage } from '../shared/page.tsx';
import { type DetailForm, MessageDetails } from './messageDetails.tsx';
import { MessageGrid } from './messageGrid.tsx';
import { type TrafficActions, TrafficBar } from './trafficBar.tsx';
import {
  emptyText,
  nextTraffic,
  noTraffic,
  noSearch,
  readSearch,
  shownRows,
  type TrafficState,
  type TrafficSearch,
} from './trafficState.ts';

export interface TrafficAppProps {
  readonly state: TrafficState;
  readonly link: Pick<HostLink<typeof trafficToHost, typeof trafficToView>, 'send' | 'readStored' | 'store'>;
}

function TrafficApp({ state, link }: TrafficAppProps): JSX.Element {
  const { filter, setFilter } = useSearch(link);
  const rows = useMemo(() => shownRows(state, filter), [state.rows, state.found, filter]);
  const actions = actionsOf(link, rows, () => setFilter({ ...filter, peerId: '', peerName: '' }));
  const look = (search: TrafficSearch): void => {
    setFilter(search);
    link.send('traffic/find', { text: search.text });
  };
  return (
    <main class="traffic">
      <TrafficBar
        state={state}
        text={filter.text}
        filter={filter}
        shown={rows.length}
        onText={(text) => look({ ...filter, text })}
        onFilter={(changed) => setFilter({ ...filter, ...changed })}
        actions={actions}
      />
      {state.rows.size === 0 ? (
        <Empty status={state.status} onGoOn={() => actions.pause(false)} onRunTool={() => link.send('traffic/runTool', {})} />
      ) : (
        <Messages state={state} rows={rows} link={link} onClearFilter={() => look(noSearch)} />
      )}
    </main>
  );
}

interface MessagesProps extends TrafficAppProps {
  readonly rows: readonly TrafficRow[];
  readonly onClearFilter: () => void;
}

/** Shows the rows, and the details of the selected one. It stays selected when the details are closed. */
function Messages({ state: { detail, rows: all }, rows, link, onClearFilter }: MessagesProps): JSX.Element {
  const selected = detail === undefined ? undefined : all.get(detail.number);
  const [isClosed, setClosed] = useState(false);
  const [form, setForm] = useState<DetailForm>('tree');
  const grid = useRef<HTMLDivElement>(null);
  const select = (number: number | undefined): void => {
    setClosed(number === undefined);
    link.send('traffic/select', number === undefined ? {} : { number });
  };
  const closeDetails = (): void => {
    select(undefined);
    grid.current?.focus();
  };
  return (
    <div class="traffic-body">
      {rows.length === 0 ? (
        <NoMatch onClear={onClearFilter} />
      ) : (
        <MessageGrid rows={rows} selected={detail?.number} onSelect={select} grid={grid} />
      )}
      {detail !== undefined && selected !== undefined && !isClosed && (
        <MessageDetails
          key={detail.number}
          row={selected}
          detail={detail}
          form={form}
          onForm={setForm}
          onSendAgain={() => link.send('traffic/sendAgain', { number: detail.number })}
          onExportScript={() => link.send('traffic/exportScript', { number: detail.number })}
          onClose={closeDetails}
        />
      )}
    </div>
  );
}

function useSearch(link: TrafficAppProps['link']): { readonly filter: TrafficSearch; readonly setFilter: (search: TrafficSearch) => void } {
  const [filter, setSearch] = useState(() => readSearch(link.readStored()));
  const setFilter = (search: TrafficSearch): void => {
    setSearch(search);
    link.store(search);
  };
  return { filter, setFilter };
}

function actionsOf(link: TrafficAppProps['link'], rows: readonly TrafficRow[], onClear: () => void): TrafficActions {
  return {
    pause: (isPaused) => link.send('traffic/pause', { isPaused }),
    keep: (isKept) => link.send('traffic/keep', { isKept }),
    clear: () => {
      onClear();
      link.send('traffic/clear', {});
    },
    exportShown: () => link.send('traffic/export', { numbers: rows.map(({ number }) => number) }),
  };
}

interface EmptyProps {
  readonly status: TrafficStatus | undefined;
  readonly onGoOn: () => void;
  readonly onRunTool: () => void;
}

function Empty({ status, onGoOn, onRunTool }: EmptyProps): JSX.Element {
  return (
    <div class="traffic-body traffic-empty">
      {status !== undefined && (
        <>
          <Icon name="arrow-swap" tone="quiet" />
          <p>{t('Every message to and from your servers and outside clients appears here.')}</p>
          <p class="secondary">{emptyText(status)}</p>
          <button type="button" class="button is-primary" onClick={status.isPaused ? onGoOn : onRunTool}>
            {status.isPaused ? t('Continue recording') : t('Run a tool')}
          </button>
        </>
      )}
    </div>
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }): JSX.Element {
  return (
    <div class="traffic-empty">
      <p>{t('No message matches.')}</p>
      <button type="button" class="button" onClick={onClear}>
        {t('Clear filter')}
      </button>
    </div>
  );
}

const link = openHostLink<typeof trafficToHost, typeof trafficToView>();
let state = noTraffic;
startPage(
  link,
  () => {
    link.send('ready', {});
    link.send('traffic/find', { text: readSearch(link.readStored()).text });
  },
  (message) => {
    state = message === undefined ? state : nextTraffic(state, message);
    return <TrafficApp state={state} link={link} />;
  },
);
