import assert from 'node:assert/strict';
import { createConsentApproval } from '../../../../src/server/access/consentApproval.ts';
import { ClientPermissions } from '../../../../src/server/access/clientPermissions.ts';
import { DisposableStore, type Disposable } from '../../../../src/base/lifecycle.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { AuditLog } from '../../../../src/consent/audit/auditLog.ts';
import { ConsentGate } from '../../../../src/consent/consentGate.ts';
import { TextInMemory, type SharedText } from '../../../../src/base/sharedStorage.ts';
import { Ledger } from '../../../../src/consent/ledger.ts';
import { OwnCalls } from '../../../../src/consent/ownCalls.ts';
import { OpenQuestions } from '../../../../src/consent/openQuestions.ts';
import type { Choice, Question } from '../../../../src/contract/questions/questions.ts';
import type { Role } from '../../../../src/contract/questions/rolesAndClaims.ts';
import type { ClientApproval } from '../../../../src/server/access/clientApproval.ts';
import type { HttpPeer } from './httpPeer.ts';

/** The person of one window with the real ledger, gate and questions: only the panel is missing. */
export class Person implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly ledger: Ledger;
  readonly questions = this.#lifetime.add(new OpenQuestions());
  readonly ownCalls = new OwnCalls();
  readonly gate: ConsentGate;
  readonly permissions: ClientPermissions;
  readonly approval: ClientApproval;
  /** Why answers could not be stored. */
  readonly unkept: unknown[] = [];
  #time = 0;

  constructor(file: SharedText = new TextInMemory(), workspace = 'here', audit?: AuditLog) {
    this.ledger = this.#lifetime.add(new Ledger({ storage: file, workspace, now: () => new Date((this.#time += 1)), log: silentLog }));
    const gate = this.#lifetime.add(new ConsentGate(this.ledger, audit, (error) => this.unkept.push(error)));
    this.gate = gate;
    this.permissions = new ClientPermissions(this.ledger, gate);
    this.approval = createConsentApproval(gate, this.questions, this.permissions, this.ownCalls);
  }

  /** The only question that is open. */
  get question(): Question {
    const [question, ...others] = this.questions.list();
    assert.ok(question !== undefined, 'no question is open');
    assert.equal(others.length, 0, 'more than one question is open');
    return question;
  }

  get isAsked(): boolean {
    return this.questions.list().length > 0;
  }

  answer(choice: Choice, role?: Role): void {
    const { askId } = this.question;
    assert.ok(this.questions.answer({ askId, choice, ...(role === undefined ? {} : { role }) }), `${choice} is not on offer`);
  }

  async untilAsked(): Promise<Question> {
    while (!this.isAsked) {
      await new Promise<void>((resolve) => {
        const listening = this.questions.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
    }
    return this.question;
  }

  /** Connects a client of this server, whom the person lets in as a runner for the session. */
  async letIn(peer: HttpPeer): Promise<HttpPeer> {
    await peer.initialize();
    const connecting = peer.callTool('list_open_editors');
    await this.untilAsked();
    this.answer('allowSession', 'runner');
    await connecting;
    return peer;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
