import { isJsonObject } from '../../../base/json.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Log } from '../../../base/log.ts';
import type { FairUse } from './fairUse.ts';
import { isModernMessage } from '../../protocol/modern/envelope.ts';
import type { ModernClient } from '../../protocol/modern/modernClient.ts';
import { rpcCode, rpcErrorText } from '../../protocol/rpc/rpc.ts';
import type { Session } from '../../protocol/legacy/session.ts';
import type { SessionDirectory, SessionRequest } from '../../protocol/sessionDirectory.ts';
import { parseBody } from './jsonBody.ts';
import { refuseLimited } from './limitedMessages.ts';
import { whyUnread } from './unreadText.ts';
import { closeCode, type WebSocketConnection } from './webSocketConnection.ts';
import type { WireCredential } from '../../seen/viewer.ts';

export interface ConversationServices {
  readonly directory: SessionDirectory;
  readonly fairUse: FairUse;
  readonly log: Log;
}

const unreadable = rpcErrorText(null, { code: rpcCode.parseError, message: 'Parse error' });

const refusal = (why: string): string => rpcErrorText(null, { code: rpcCode.invalidRequest, message: `Invalid request: ${why}` });

/** What is said on one WebSocket, in either era: the first message of one opens what answers it. */
export class WebSocketConversation implements Disposable {
  readonly #connection: WebSocketConnection;
  readonly credential: WireCredential;
  readonly #services: ConversationServices;
  #modern: ModernClient | undefined;
  #session: Session | undefined;
  #isEnding = false;

  constructor(connection: WebSocketConnection, credential: WireCredential, services: ConversationServices) {
    this.#connection = connection;
    this.credential = credential;
    this.#services = services;
  }

  /** Nothing was said yet that would have opened a session. */
  get isSilent(): boolean {
    return this.#session === undefined && this.#modern === undefined;
  }

  get isApproved(): boolean {
    return [this.#session, this.#modern].some((each) => each?.approvalState.kind === 'allowed');
  }

  receive(text: string): void {
    try {
      this.#take(text);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What is still to be answered is, before the connection closes. */
  end(code: number, reason: string): void {
    this.#isEnding = true;
    this.dispose();
    this.#connection.close(code, reason);
  }

  dispose(): void {
    this.#session?.dispose();
    this.#modern?.dispose();
  }

  #take(text: string): void {
    const why = whyUnread(text);
    const parsed = why === undefined ? parseBody(text) : undefined;
    switch (this.#services.fairUse.count({ credential: this.credential, connection: this.#connection }, parsed?.body)) {
      case 'ok':
        if (parsed === undefined) {
          this.#connection.respond(why === undefined ? unreadable : refusal(why));
        } else {
          this.#deliver(parsed.body);
        }
        break;
      case 'limited': {
        const passing = refuseLimited(parsed?.body, this.#connection);
        if (passing.length > 0) {
          this.#deliver(passing);
        }
        break;
      }
      case 'flood':
        this.#connection.close(closeCode.policyViolation, 'too many messages');
        break;
    }
  }

  #deliver(body: unknown): void {
    if (isModernMessage(body)) {
      this.#modern ??= this.#openModern();
      this.#answerInvalid(this.#modern?.receive(body, this.#connection));
      return;
    }
    const isCancellation = isJsonObject(body) && body.method === 'notifications/cancelled';
    if (isCancellation && this.#modern !== undefined) {
      // A cancellation does not say which era it is of.
      this.#modern.receive(body, this.#connection);
    }
    if (this.#session === undefined && !isCancellation) {
      this.#session = this.#openSession();
    }
    this.#answerInvalid(this.#session?.receive(body, this.#connection));
  }

  #answerInvalid(receipt: { readonly kind: 'accepted' } | { readonly kind: 'invalid'; readonly text: string } | undefined): void {
    if (receipt?.kind === 'invalid') {
      this.#connection.respond(receipt.text);
    }
  }

  #openModern(): ModernClient | undefined {
    const { directory } = this.#services;
    return this.#hasPlace() ? directory.openModern(this.credential, 'ws', this.#request()) : undefined;
  }

  #openSession(): Session | undefined {
    const { directory } = this.#services;
    return this.#hasPlace() ? directory.openForClient(this.credential, 'ws', this.#request()) : undefined;
  }

  #request(): SessionRequest {
    return {
      outlet: (text) => this.#connection.send(text),
      isConnected: () => this.#connection.isOpen,
      onClose: () => {
        if (!this.#isEnding) {
          this.end(closeCode.policyViolation, 'the session was ended');
        }
      },
    };
  }

  #hasPlace(): boolean {
    const hasPlace = this.#services.directory.makeRoom(this.credential);
    if (!hasPlace) {
      this.#connection.close(closeCode.tryAgainLater, 'too many sessions');
    }
    return hasPlace;
  }

  #fail(error: unknown): void {
    this.#services.log.error('A message failed.', error);
    this.#connection.close(closeCode.internalError, 'internal error');
  }
}
