import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/events.ts';
import { DisposableStore, type Disposable } from '../../../../src/base/lifecycle.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { Choice } from '../../../../src/contract/questions/questions.ts';
import type { Role } from '../../../../src/contract/questions/rolesAndClaims.ts';
import { AccessControl, type RevokedApproval } from '../../../../src/server/access/accessControl.ts';
import type { ActRequest } from '../../../../src/server/access/clientApproval.ts';
import type { AccessNeed, ClientAccess } from '../../../../src/server/access/clientAccess.ts';
import { AccessPolicy } from '../../../../src/server/access/policy.ts';
import type { Waiter } from '../../../../src/server/access/sharedQuestions.ts';
import { defaultServerTimings } from '../../../../src/server/access/limits.ts';
import { rightsOf } from './fakeCall.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { policySource } from './fakePolicy.ts';
import { Person } from './person.ts';
import type { Credential, Viewer } from '../../../../src/server/seen/viewer.ts';

export const windowToken: Credential = { id: 'window-1', kind: 'windowToken' };
export const clientToken: Credential = { id: 'client-1', kind: 'clientToken' };

export const viewerOf = (credential: Credential, sessionId?: string): Viewer => ({
  credential,
  sessionId,
  callsItself: 'peer 9',
  transport: 'http',
  rights: rightsOf(undefined),
});
export const look: AccessNeed = { role: 'reader', tool: { name: 'read_file', acts: false } };
export const propose: AccessNeed = {
  role: 'editor',
  tool: { name: 'propose_edit', acts: true },
  call: { tool: 'propose_edit', role: 'editor', arguments: '{"path":"a.ts"}' },
};
export const run: AccessNeed = { role: 'runner', tool: { name: 'run_tests', acts: true }, confirmsItself: true };
export const tests = (script = 'mocha'): ActRequest => ({
  tool: 'run_tests',
  role: 'runner',
  what: {
    kind: 'script',
    commandLine: 'npm test',
    chain: { steps: [{ name: 'scripts.test', text: script }], unknown: [] },
    cwd: '/projects/demo',
  },
  offersSession: true,
});

export function waiter(wantsProgress = false): Waiter & { readonly cancel: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, wantsProgress, reportProgress: () => undefined, cancel: () => controller.abort() };
}

/** Access control as a server has it, with a person who answers when the test says so. */
export class AccessBench implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly clock = new FakeClock();
  readonly revoked: RevokedApproval[] = [];
  readonly policyChanged = this.#lifetime.add(new Emitter<void>());
  person = this.#lifetime.add(new Person());
  readonly access = this.open(this.person);

  add<T extends Disposable>(disposable: T): T {
    return this.#lifetime.add(disposable);
  }

  /** `policy` as it stands in the settings, or a function for one that changes. */
  open(who: Person, policy: unknown = []): AccessControl {
    const source = policySource(() => (typeof policy === 'function' ? (policy as () => unknown)() : policy), this.policyChanged.event);
    const { clock } = this;
    const rules = this.add(new AccessPolicy({ source, clock }));
    const options = { approval: who.approval, policy: rules, actingPerSecond: 10, clock, timings: defaultServerTimings, log: silentLog };
    const opened = this.add(new AccessControl(options));
    this.add(opened.onDidRevoke((each) => this.revoked.push(each)));
    return opened;
  }

  session(credential: Credential, id: string, on = this.access): ClientAccess {
    return this.add(
      on.forSession(
        () => viewerOf(credential, id),
        () => undefined,
      ),
    );
  }

  /** Admits `need` while the person answers the one question it opens. */
  async answered(client: ClientAccess, need: AccessNeed, choice: Choice, role?: Role): Promise<string> {
    const admitting = client.admit(need, waiter());
    await this.person.untilAsked();
    this.person.answer(choice, role);
    return reasonOf(await admitting);
  }

  /** Without a question; fails when one opens. */
  async atOnce(client: ClientAccess, need: AccessNeed): Promise<string> {
    const admission = await client.admit(need, waiter());
    assert.equal(this.person.isAsked, false, 'nothing should be asked');
    return reasonOf(admission);
  }

  async confirmed(client: ClientAccess, act: ActRequest, choice?: Choice): Promise<string> {
    const confirming = client.confirm(act, waiter());
    if (choice !== undefined) {
      await this.person.untilAsked();
      this.person.answer(choice);
    }
    return confirming.then(
      () => 'allowed',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

export function reasonOf(admission: Awaited<ReturnType<ClientAccess['admit']>>): string {
  return admission === 'allowed' ? admission : admission.reason;
}
