import type { JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import type { TrafficDetail, TrafficRow } from '../../contract/pages/trafficMessages.ts';
import { Tree } from '../results/structuredResult.tsx';
import { formatElapsed } from '../shared/formats.ts';
import { Icon, IconButton, Tabs } from '../shared/elements.tsx';
import { editableJson } from '../shared/jsonText.ts';
import { t } from '../shared/localize.ts';
import { clockTime, directionWord, peerName, scriptRefusalText, sendAgainRefusalText, exchangeStateWord } from './trafficState.ts';

export interface MessageDetailsProps {
  readonly row: TrafficRow;
  readonly detail: TrafficDetail;
  readonly form: DetailForm;
  readonly onForm: (form: DetailForm) => void;
  readonly onSendAgain: () => void;
  readonly onExportScript: () => void;
  readonly onClose: () => void;
}

export type DetailForm = 'tree' | 'json';

/** Shows the selected exchange, whole as far as it is kept. */
export function MessageDetails(props: MessageDetailsProps): JSX.Element {
  const { row, detail, form, onForm, onSendAgain, onExportScript, onClose } = props;
  const id = useId();
  const tabs = [
    ['tree', t('Tree')],
    ['json', t('JSON')],
  ] as const;
  const { noSendAgain, noScript } = detail;
  return (
    <section class="traffic-details" aria-label={t('Message')} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <header class="traffic-details-head">
        <h2>
          {row.method === '' ? exchangeStateWord(row) : row.method} <span class="secondary">{row.subject}</span>
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={onClose} />
      </header>
      <p class="secondary">{factsOf(row)}</p>
      <div class="traffic-details-actions button-row is-quiet">
        <Tabs id={id} label={t('Form')} tabs={tabs} view={form} onChange={onForm} />
        <Action label={t('Send again')} refusal={noSendAgain && sendAgainRefusalText(noSendAgain)} onClick={onSendAgain} />
        <Action label={t('Export as script')} refusal={noScript && scriptRefusalText(noScript)} onClick={onExportScript} />
      </div>
      {detail.hasSecrets && <Note icon="lock" text={t('What looks like a secret is not shown.')} />}
      {detail.isCut && <Note icon="warning" text={t('It is too long to be kept whole: “…” stands for what is left out.')} />}
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${form}`}>
        <Part label={row.kind === 'request' ? t('Request') : t('Message')} json={detail.message} form={form} />
        {detail.answer !== undefined && <Part label={t('Answer')} json={detail.answer} form={form} />}
      </div>
    </section>
  );
}

interface ActionProps {
  readonly label: string;
  /** Why the action cannot be done; the button is there all the same, and says so. */
  readonly refusal: string | undefined;
  readonly onClick: () => void;
}

function Action({ label, refusal, onClick }: ActionProps): JSX.Element {
  const id = useId();
  const isOff = refusal !== undefined;
  return (
    <>
      <button
        type="button"
        class="button is-quiet"
        aria-disabled={isOff}
        aria-describedby={isOff ? id : undefined}
        title={refusal}
        onClick={() => !isOff && onClick()}
      >
        {label}
      </button>
      {isOff && (
        <span id={id} class="screen-reader-only">
          {refusal}
        </span>
      )}
    </>
  );
}

function Note({ icon, text }: { readonly icon: string; readonly text: string }): JSX.Element {
  return (
    <p class="traffic-note secondary">
      <Icon name={icon} />
      {text}
    </p>
  );
}

function Part({ label, json, form }: { readonly label: string; readonly json: string; readonly form: DetailForm }): JSX.Element {
  const value = useMemo(() => JSON.parse(json) as unknown, [json]);
  const isTree = form === 'tree' && typeof value === 'object' && value !== null;
  return (
    <div class="section">
      <h3 class="section-label">{label}</h3>
      {isTree ? <Tree key={json.length} value={value} depth={0} /> : <pre class="traffic-json">{editableJson(json)}</pre>}
    </div>
  );
}

function factsOf(row: TrafficRow): string {
  const duration = row.durationMs === undefined ? [] : [formatElapsed(row.durationMs)];
  return [peerName(row), directionWord(row.direction), clockTime(row.time), exchangeStateWord(row), ...duration].join(' · ');
}
