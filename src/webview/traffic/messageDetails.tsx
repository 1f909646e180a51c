import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { TrafficDetail, TrafficRow } from '../../contract/trafficMessages.ts';
import { Tree } from '../results/structuredResult.tsx';
import { formatElapsed } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { editableJson } from '../shared/jsonText.ts';
import { t } from '../shared/localize.ts';
import { clockTime, directionWord, peerName, stateWord } from './trafficTexts.ts';

export interface MessageDetailsProps {
  readonly row: TrafficRow;
  readonly detail: TrafficDetail;
  readonly onSendAgain: () => void;
  readonly onExportScript: () => void;
  readonly onClose: () => void;
}

type Form = 'tree' | 'json';

/** The selected exchange, whole as far as it is kept. */
export function MessageDetails({ row, detail, onSendAgain, onExportScript, onClose }: MessageDetailsProps): JSX.Element {
  const [form, setForm] = useState<Form>('tree');
  const tab = (id: Form, label: string): JSX.Element => (
    <button type="button" role="tab" class="traffic-tab" aria-selected={form === id} onClick={() => setForm(id)}>
      {label}
    </button>
  );
  return (
    <section class="traffic-details" aria-label={t('Message')}>
      <header class="traffic-details-head">
        <h2>
          {row.method === '' ? stateWord(row) : row.method} <span class="secondary">{row.subject}</span>
        </h2>
        <button type="button" class="icon-button" aria-label={t('Close')} title={t('Close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <p class="secondary">{factsOf(row)}</p>
      <div class="traffic-details-actions button-row is-quiet">
        <div role="tablist" aria-label={t('Form')} class="traffic-tabs">
          {tab('tree', t('Tree'))}
          {tab('json', t('JSON'))}
        </div>
        {detail.canSendAgain && (
          <button type="button" class="button is-quiet" onClick={onSendAgain}>
            {t('Send again')}
          </button>
        )}
        {detail.canExportScript && (
          <button type="button" class="button is-quiet" onClick={onExportScript}>
            {t('Export as script')}
          </button>
        )}
      </div>
      {detail.hasSecrets && <Note icon="lock" text={t('What looks like a secret is not shown.')} />}
      {detail.isCut && <Note icon="warning" text={t('It is too long to be kept whole: “…” stands for what is left out.')} />}
      <Part label={row.kind === 'request' ? t('Request') : t('Message')} json={detail.message} form={form} />
      {detail.answer !== undefined && <Part label={t('Answer')} json={detail.answer} form={form} />}
    </section>
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

function Part({ label, json, form }: { readonly label: string; readonly json: string; readonly form: Form }): JSX.Element {
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
  return [peerName(row), directionWord(row.direction), clockTime(row.time), stateWord(row), ...duration].join(' · ');
}
