import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Answer } from '../consent/consentModel.ts';
import type { Ledger } from '../consent/ledger.ts';
import type { ClientRegistry } from '../server/clientRegistry.ts';

/** A permission taken back ends its session, and a session that has ended takes its permission along. */
export function keepInStep(clients: ClientRegistry, ledger: Ledger): Disposable {
  const lifetime = new DisposableStore();
  const endRevoked = (): void => {
    const permitted = new Set(connectAnswers(ledger).map(sessionOf));
    for (const client of clients.snapshot()) {
      if (client.approval === 'allowed' && !permitted.has(client.sessionId)) {
        clients.revoke(client.sessionId);
      }
    }
  };
  const forgetEnded = (): void => {
    const connected = new Set(clients.snapshot().map((client) => client.sessionId));
    for (const answer of connectAnswers(ledger)) {
      if (!connected.has(sessionOf(answer))) {
        ledger.forget(answer.id);
      }
    }
  };
  lifetime.add(ledger.onDidChange(endRevoked));
  lifetime.add(clients.onDidChange(forgetEnded));
  return lifetime;
}

function connectAnswers(ledger: Ledger): Answer[] {
  return ledger.answers().filter(({ action, scope }) => action === 'connectClient' && scope === 'session');
}

/** The last step of the subject: `['client', CREDENTIAL, 'session', SESSION]`. */
function sessionOf(answer: Answer): string {
  return answer.subject.at(-1) ?? '';
}
