import type { MessageOf, MessageSet } from '../../contract/pages/messageLink.ts';

/** The page's end of the link: the only file that knows `acquireVsCodeApi` and `postMessage`. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

export interface HostLink<ToHost extends MessageSet, ToView extends MessageSet> {
  send<K extends keyof ToHost & string>(name: K, body: Extract<MessageOf<ToHost>, { readonly name: K }>['body']): void;
  listen(listener: (message: MessageOf<ToView>) => void): void;
  /** What this page stored for itself; survives a reload of the page, is trusted by nobody. */
  readStored(): unknown;
  store(value: unknown): void;
}

/** The sets of messages are known to the compiler alone: no page carries their schemas and what checks them. */
export function openHostLink<ToHost extends MessageSet, ToView extends MessageSet>(): HostLink<ToHost, ToView> {
  const api = acquireVsCodeApi();
  return {
    send: (name, body) => api.postMessage({ name, body }),
    listen: (listener) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        // VS Code hands messages on from the frame around this page, which has the page's own origin. Any window that holds a
        // reference to this one can post to it too; that one has another.
        if (event.origin === self.origin && isMessage<ToView>(event.data)) {
          listener(event.data);
        }
      }),
    readStored: () => api.getState(),
    store: (value) => api.setState(value),
  };
}

/** What the extension sends was made by the same build as this page. VS Code may send something of its own. */
function isMessage<S extends MessageSet>(data: unknown): data is MessageOf<S> {
  return typeof data === 'object' && data !== null && 'body' in data && 'name' in data && typeof data.name === 'string';
}
