import { source as relaySource } from 'thread:./relayFrame.ts';
import type { AppEnding } from '../../../contract/chat/appMessages.ts';
import type { FromRelay, ToRelay, Trouble } from './relayFrame.ts';

export interface AppShellOptions {
  readonly html: string;
  readonly policy: string;
  /** What the frame is called for people who cannot see it. */
  readonly title: string;
  readonly theme: 'light' | 'dark';
  /** Whether this page has the app's policy itself, so that no shell is needed. */
  readonly isTab: boolean;
  readonly onSaid: (text: string) => void;
  readonly onBroke: (reason: AppEnding) => void;
  /** The app tried something that no app may; told once for each. */
  readonly onTrouble: (what: Trouble) => void;
  /** The keys of the person went to the app, and they want them back. */
  readonly onLeave: () => void;
}

/** How long the frames have until they must be there. */
const maxLoadMs = 2_000;
/** How many messages of windows without an origin the page takes in a second before it ends the app that they come from. */
const maxStrayPerSecond = 200;

const plainFrame = 'display:block;border:0;width:100%;height:100%';

/**
 * Shows an app in three frames. The shell is an empty page of VS Code's own, loaded over the network, so that this page's policy is not
 * inherited; only the app's policy is written into it. In it is the relay (relayFrame.ts), and in that the app, both without an origin.
 * Nothing of the app is loaded before the relay has said that it is closed off. In a tab, whose page has the app's policy, the relay stands
 * in the page itself.
 */
export class AppShell {
  readonly #options: AppShellOptions;
  readonly #frame: HTMLIFrameElement;
  readonly #channel = new MessageChannel();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #onStray = (event: MessageEvent): void => this.#countStray(event);
  #isOver = false;
  #theme: 'light' | 'dark';
  #stray = { since: 0, count: 0 };

  constructor(place: HTMLElement, options: AppShellOptions) {
    this.#options = options;
    this.#theme = options.theme;
    this.#frame = options.isTab ? this.#relayIn(document) : this.#shell();
    this.#timer = setTimeout(() => this.#break('notLoaded'), maxLoadMs);
    this.#channel.port1.onmessage = ({ data }: MessageEvent<FromRelay>) => this.#hear(data);
    window.addEventListener('message', this.#onStray);
    place.append(this.#frame);
  }

  say(text: string): void {
    this.#tell({ kind: 'say', text });
  }

  /**
   * Tells the frames whether the page is light or dark. A browser shows a page that knows nothing of dark pages on white then, so that its
   * dark text can be read; one that knows of them is shown on what is behind it.
   */
  setTheme(theme: 'light' | 'dark'): void {
    this.#theme = theme;
    this.#frame.style.colorScheme = theme;
    const inside = this.#options.isTab ? document : this.#frame.contentDocument;
    if (inside !== null) {
      inside.documentElement.style.colorScheme = theme;
    }
    this.#tell({ kind: 'theme', theme });
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    window.removeEventListener('message', this.#onStray);
    this.#channel.port1.close();
    this.#frame.remove();
  }

  #shell(): HTMLIFrameElement {
    const shell = document.createElement('iframe');
    shell.title = this.#options.title;
    shell.className = 'app-shell';
    shell.addEventListener('load', () => this.#fill(), { once: true });
    shell.src = new URL(`fake.html${location.search}`, location.href).href;
    return shell;
  }

  #relayIn(owner: Document): HTMLIFrameElement {
    const relay = owner.createElement('iframe');
    relay.setAttribute('sandbox', 'allow-scripts');
    relay.style.cssText = plainFrame;
    relay.title = this.#options.title;
    relay.addEventListener('load', () => relay.contentWindow?.postMessage('port', '*', [this.#channel.port2]), { once: true });
    relay.srcdoc = relayHtml();
    return relay;
  }

  /** Writes the policy into the shell, and the relay below it. */
  #fill(): void {
    const inside = this.#frame.contentDocument;
    if (this.#isOver || inside === null || !inside.location.pathname.endsWith('/fake.html')) {
      this.#break('notLoaded');
      return;
    }
    this.#frame.addEventListener('load', () => this.#break('reloaded'));
    const policy = inside.createElement('meta');
    policy.httpEquiv = 'Content-Security-Policy';
    policy.content = this.#options.policy;
    inside.head.append(policy);
    inside.documentElement.style.cssText = `height:100%;color-scheme:${this.#theme}`;
    inside.body.style.cssText = 'margin:0;height:100%;overflow:hidden;background:transparent';
    inside.body.append(this.#relayIn(inside));
  }

  #hear(message: FromRelay): void {
    if (this.#isOver) {
      return;
    }
    switch (message.kind) {
      case 'ready':
        clearTimeout(this.#timer);
        if (message.isClosed) {
          this.setTheme(this.#theme);
          this.#tell({ kind: 'load', html: this.#options.html });
        } else {
          this.#break('notIsolated');
        }
        break;
      case 'said':
        this.#options.onSaid(message.text);
        break;
      case 'trouble':
        this.#options.onTrouble(message.what);
        break;
      case 'leave':
        // An app can say so by itself. It can give away its own focus then, and nobody else's.
        if (document.hasFocus() && document.activeElement === this.#frame) {
          this.#options.onLeave();
        }
        break;
      case 'broke':
        this.#break(message.reason);
        break;
    }
  }

  #tell(message: ToRelay): void {
    this.#channel.port1.postMessage(message);
  }

  #break(reason: AppEnding): void {
    if (!this.#isOver) {
      this.dispose();
      this.#options.onBroke(reason);
    }
  }

  /** An app can post to this window past its relay. Nobody listens to that, but too much of it would hold up the page. */
  #countStray({ origin, source }: MessageEvent): void {
    if (origin !== 'null' || !isBelow(source, this.#frame.contentWindow)) {
      return;
    }
    const now = performance.now();
    const isNew = now - this.#stray.since >= 1_000;
    this.#stray = isNew ? { since: now, count: 1 } : { ...this.#stray, count: this.#stray.count + 1 };
    if (this.#stray.count > maxStrayPerSecond) {
      this.#break('tooMany');
    }
  }
}

/** Whether a window stands somewhere below another. A window without an origin still tells its parent. */
function isBelow(source: MessageEvent['source'], top: Window | null): boolean {
  let at = source as Window | null;
  for (let steps = 0; at !== null && steps < 20; steps += 1) {
    if (at === top) {
      return true;
    }
    at = at.parent === at ? null : at.parent;
  }
  return false;
}

/** The HTML of the relay. Its code must not end the element that it stands in. */
function relayHtml(): string {
  const code = relaySource.replaceAll('</', '<\\/');
  return `<!DOCTYPE html><html><head><style>html,body{margin:0;height:100%;overflow:hidden}iframe{${plainFrame}}</style></head><body><script>${code}</script></body></html>`;
}
