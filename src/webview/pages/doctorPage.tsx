import type { JSX } from 'preact';
import type { DoctorAction, DoctorFinding, DoctorReport, doctorToHost, doctorToView } from '../../contract/pages/doctorMessages.ts';
import { Icon } from '../shared/elements.tsx';
import { openHostLink } from '../shared/hostLink.ts';
import { t } from '../shared/localize.ts';
import { startPage } from '../shared/page.tsx';

export interface DoctorAppProps {
  /** The report; undefined until the host has answered `ready`. */
  readonly report: DoctorReport | undefined;
  readonly onAct: (finding: string, action: DoctorAction) => void;
  readonly onCopy: () => void;
}

function DoctorApp({ report, onAct, onCopy }: DoctorAppProps): JSX.Element {
  return (
    <main class="doctor">
      <header class="doctor-head">
        <h1 tabIndex={-1}>{t('Duplex Doctor')}</h1>
        <button type="button" class="button is-secondary" onClick={onCopy}>
          {t('Copy Report')}
        </button>
      </header>
      <p role="status">{report?.summary ?? ''}</p>
      {report?.sections.map(({ title, findings }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul class="findings">
            {findings.map((finding) => (
              <Finding key={finding.id} finding={finding} onAct={onAct} />
            ))}
          </ul>
        </section>
      ))}
    </main>
  );
}

const signs: Readonly<Record<DoctorFinding['severity'], { readonly icon: string; readonly tone: string }>> = {
  good: { icon: 'pass', tone: 'good' },
  note: { icon: 'info', tone: 'quiet' },
  warning: { icon: 'warning', tone: 'warning' },
  error: { icon: 'error', tone: 'error' },
};

function Finding({ finding, onAct }: { readonly finding: DoctorFinding; readonly onAct: DoctorAppProps['onAct'] }): JSX.Element {
  const { id, severity, name, text, evidence, advice, actions } = finding;
  const { icon, tone } = signs[severity];
  return (
    <li class="finding">
      <Icon name={icon} tone={tone} />
      <div class="finding-body">
        {name !== undefined && <h3>{name}</h3>}
        <p>{text}</p>
        {evidence !== undefined && <pre class="finding-evidence">{evidence}</pre>}
        {advice !== undefined && <p class="finding-advice">{advice}</p>}
        {actions.length > 0 && (
          <div class="finding-actions">
            {actions.map(({ action, label }, index) => (
              <button
                key={action}
                type="button"
                class={`button ${index === 0 && severity !== 'good' ? 'is-primary' : 'is-secondary'}`}
                aria-label={name === undefined ? label : `${label}: ${name}`}
                onClick={() => onAct(id, action)}
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </div>
    </li>
  );
}

const link = openHostLink<typeof doctorToHost, typeof doctorToView>();
startPage(
  link,
  () => link.send('ready', {}),
  (message) => (
    <DoctorApp
      report={message?.body}
      onAct={(finding, action) => link.send('doctor/act', { finding, action })}
      onCopy={() => link.send('doctor/copy', {})}
    />
  ),
);
