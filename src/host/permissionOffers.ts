import { PermissionNews } from './permissionNews.ts';
import { needsPermission, type ServerSnapshot } from './shared/serverState.ts';

export interface PermissionOffersPorts {
  readonly servers: () => readonly ServerSnapshot[];
  /** Resolves when the notification is gone: true when the person wants to look. */
  readonly show: (waiting: readonly ServerSnapshot[]) => Promise<boolean>;
  readonly start: (server: ServerSnapshot) => Promise<unknown>;
  /** The person wants to look, but all of it was settled meanwhile. */
  readonly tellSettled: () => void;
}

/**
 * Offers servers that wait for permission, one notification at a time: VS Code cannot take one back, so a second beside it
 * would be about things of the past. What came while one was open belongs to its answer, or is offered after it.
 */
export class PermissionOffers {
  readonly #ports: PermissionOffersPorts;
  readonly #news = new PermissionNews();
  #isOpen = false;

  constructor(ports: PermissionOffersPorts) {
    this.#ports = ports;
  }

  async offer(): Promise<void> {
    if (this.#isOpen) {
      return;
    }
    this.#isOpen = true;
    try {
      for (let news = this.#look(); news.length > 0; news = this.#look()) {
        if (await this.#ports.show(news)) {
          await this.#startAll();
        }
      }
    } finally {
      this.#isOpen = false;
    }
  }

  #look(): readonly ServerSnapshot[] {
    return this.#news.since(this.#ports.servers());
  }

  async #startAll(): Promise<void> {
    this.#look();
    const waiting = this.#ports.servers().filter(needsPermission);
    if (waiting.length === 0) {
      this.#ports.tellSettled();
    }
    await Promise.all(waiting.map((server) => this.#ports.start(server)));
  }
}
