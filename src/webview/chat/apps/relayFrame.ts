// The frame between the chat's page and an app. It has an origin of its own, as the app has, and the app is its only child. Its code is
// a text in the page's own code (build/pages.mjs). To the page it speaks JSON text over a port, so that an object which an app made to
// be slow is unpacked here and not there; to the app it is the window's parent, which is the only one that apps listen to.

/** What the page says to the relay. */
export type ToRelay =
  | { readonly kind: 'load'; readonly html: string }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'theme'; readonly theme: 'light' | 'dark' };

/** What the relay says to the page. */
export type FromRelay =
  | { readonly kind: 'ready'; readonly isClosed: boolean }
  | { readonly kind: 'said'; readonly text: string }
  /** The app tried something that no app may. */
  | { readonly kind: 'trouble'; readonly what: Trouble }
  /** The person pressed the key that leads out of the app. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'broke'; readonly reason: 'tooLarge' | 'tooMany' | 'reloaded' };

/** What an app may lack: code made of text, the browser's storage, an address that its policy does not have. */
export type Trouble = 'code' | 'storage' | 'address';
const troubles: readonly unknown[] = ['code', 'storage', 'address'] satisfies Trouble[];

/** Two presses of Escape within this time lead out of an app that uses the key itself. */
const secondEscapeMs = 1_000;

/**
 * Stands before the app's own code, so that the person can be told why something of it is missing. The app can say the same by itself,
 * which only makes this host say so. A function without a body is how libraries find out that they may make none: they do without.
 * It also hears Escape before the app does: while an app has the focus no key reaches the editor, so that key leads out.
 */
const watching = `<script>(() => {
  const tell = (trouble) => parent.postMessage({ trouble }, '*');
  const look = (error) => error instanceof DOMException && error.name === 'SecurityError' && tell('storage');
  const isCode = (uri) => uri === 'eval' || uri === 'wasm-eval';
  const isTrial = (sample) => sample.replace(/[^a-z]/g, '') === 'functionanonymous';
  addEventListener('securitypolicyviolation', ({ blockedURI, sample }) => {
    if (!isCode(blockedURI)) tell('address');
    else if (!isTrial(sample)) tell('code');
  });
  addEventListener('error', ({ error }) => look(error));
  addEventListener('unhandledrejection', ({ reason }) => look(reason));
  let escapedAt = -Infinity;
  addEventListener('keydown', (event) => {
    if (!event.isTrusted) return;
    const isEscape = event.key === 'Escape' && !event.isComposing;
    const isSecond = isEscape && event.timeStamp - escapedAt < ${secondEscapeMs};
    escapedAt = isEscape && !isSecond ? event.timeStamp : -Infinity;
    const leave = () => {
      escapedAt = -Infinity;
      parent.postMessage({ leave: true }, '*');
    };
    if (isSecond) leave();
    else if (isEscape) setTimeout(() => event.defaultPrevented || leave());
  }, true);
})();</script>`;

/** The most characters of one message of an app; a longer one ends the app. */
const maxLength = 1_000_000;
/** The most messages of an app within a second; more of them end the app. */
const maxPerSecond = 200;
/** The most characters of all messages of a second: the page and the extension have to look at each. */
const maxCharactersPerSecond = 4_000_000;

/** Counts what comes within a second. */
class Rate {
  #since = 0;
  #count = 0;
  #characters = 0;

  isTooHigh(now: number): boolean {
    if (now - this.#since >= 1_000) {
      this.#since = now;
      this.#count = 0;
      this.#characters = 0;
    }
    this.#count += 1;
    return this.#count > maxPerSecond;
  }

  /** Adds the length of a message that `isTooHigh` has counted. */
  isTooMuch(characters: number): boolean {
    this.#characters += characters;
    return this.#characters > maxCharactersPerSecond;
  }
}

/** Whether this frame is what it must be before an app may be in it: without the page's origin, and under a policy of its own. */
function isClosed(scope: Window): boolean {
  if (scope.origin !== 'null') {
    return false;
  }
  try {
    const run = scope.setTimeout.constructor as unknown as (text: string) => unknown;
    run('');
    return false;
  } catch {
    return true; // no policy of an app lets text become code
  }
}

/** Shows one app, and passes messages between it and the page. */
class Relay {
  readonly #scope: Window;
  readonly #port: MessagePort;
  readonly #rate = new Rate();
  #app: HTMLIFrameElement | undefined;
  #loads = 0;
  readonly #known = new Set<unknown>();

  constructor(scope: Window, port: MessagePort) {
    this.#scope = scope;
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<ToRelay>) => this.#hear(data);
    scope.addEventListener('message', (event) => this.#pass(event));
  }

  tell(message: FromRelay): void {
    this.#port.postMessage(message);
  }

  #hear(message: ToRelay): void {
    switch (message.kind) {
      case 'say':
        this.#app?.contentWindow?.postMessage(JSON.parse(message.text), '*');
        break;
      case 'theme':
        this.#scope.document.documentElement.style.colorScheme = message.theme;
        break;
      case 'load':
        if (this.#app === undefined) {
          this.#load(message.html);
        }
        break;
    }
  }

  #load(html: string): void {
    const { document } = this.#scope;
    const app = document.createElement('iframe');
    app.setAttribute('sandbox', 'allow-scripts');
    app.title = 'App';
    app.addEventListener('load', () => {
      this.#loads += 1;
      if (this.#loads > 1) {
        this.#end('reloaded');
      }
    });
    app.srcdoc = watched(html);
    this.#app = app;
    document.body.append(app);
  }

  #pass(event: MessageEvent<unknown>): void {
    if (this.#app === undefined || event.source === null || event.source !== this.#app.contentWindow) {
      return;
    }
    if (this.#rate.isTooHigh(performance.now())) {
      this.#end('tooMany');
      return;
    }
    const text = textOf(event.data);
    if (text === undefined) {
      this.#hearAside(event.data);
      return;
    }
    if (text.length > maxLength) {
      this.#end('tooLarge');
    } else if (this.#rate.isTooMuch(text.length)) {
      this.#end('tooMany');
    } else {
      this.tell({ kind: 'said', text });
    }
  }

  #hearAside(data: unknown): void {
    const { trouble: what, leave } = (typeof data === 'object' && data !== null ? data : {}) as { trouble?: unknown; leave?: unknown };
    if (leave === true) {
      this.tell({ kind: 'leave' });
    }
    if (troubles.includes(what) && !this.#known.has(what)) {
      this.#known.add(what);
      this.tell({ kind: 'trouble', what: what as Trouble });
    }
  }

  #end(reason: Extract<FromRelay, { kind: 'broke' }>['reason']): void {
    this.#app?.remove();
    this.#app = undefined;
    this.tell({ kind: 'broke', reason });
  }
}

/** The page with what watches it: after the line that says how the page is to be read, which must be the first. */
function watched(html: string): string {
  const first = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${first}${watching}${html.slice(first.length)}`;
}

/** A message as JSON text; undefined for what is none, such as a text, a number or something that goes in circles. */
function textOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || (data as { jsonrpc?: unknown }).jsonrpc !== '2.0') {
    return undefined;
  }
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}

/** Waits for the port of the page, which is two windows up, or one where there is no shell, and relays from then on. */
export function answerIn(scope: Window): void {
  const greet = ({ source, ports: [port] }: MessageEvent): void => {
    if ((source !== scope.parent.parent && source !== scope.parent) || port === undefined) {
      return;
    }
    scope.removeEventListener('message', greet);
    new Relay(scope, port).tell({ kind: 'ready', isClosed: isClosed(scope) });
  };
  scope.addEventListener('message', greet);
}
