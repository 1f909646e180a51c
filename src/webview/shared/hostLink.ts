import type { MessageOf, MessageSet } from '../../contract/pages/messageLink.ts';

/** What VS Code gives a page. This is the only file that knows `acquireVsCodeApi` and `postMessage`. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

export interface HostLink<ToHost extends MessageSet, ToView extends MessageSet> {
  send<K extends keyof ToHost & string>(name: K, body: Extract<MessageOf<ToHost>, { readonly name: K }>['body']): void;
  listen(listener: (message: MessageOf<ToView>) => void): void;
  /** What this page stored for itself. It survives a reload of the page, and nobody may trust it. */
  readStored(): unknown;
  store(value: unknown): void;
}

/**
 * Opens the page's end of the messages to and from the extension host. Only the compiler knows the sets of messages: no page
 * carries their schemas or the code that checks them.
 */
export function openHostLink<ToHost extends MessageSet, ToView extends MessageSet>(): HostLink<ToHost, ToView> {
  const api = acquireVsCodeApi();
  return {
    send: (name, body) => api.postMessage({ name, body }),
    listen: (listener) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        // VS Code passes messages on from the frame around this page, which has the page's own origin. Any other window that holds a
        // reference to this one can post to it too, but has another origin.
        if (event.origin === self.origin && isMessage<ToView>(event.data)) {
          listener(event.data);
        }
      }),
    readStored: () => api.getState(),
    store: (value) => api.setState(value),
  };
}

/** Whether data is a message of the extension, which was built together with this page. VS Code may send something of its own. */
function isMessage<S extends MessageSet>(data: unknown): data is MessageOf<S> {
  return typeof data === 'object' && data !== null && 'body' in data && 'name' in data && typeof data.name === 'string';
}
