import type * as vscode from 'vscode';

/** A tab as VS Code gives it to an extension: once it is closed, whatever is done with it throws. */
export function closablePanel(): { readonly panel: vscode.WebviewPanel; readonly page: { html: string } } {
  const closing = new EventTarget();
  const page = { html: '', options: {}, cspSource: 'own', asWebviewUri: (uri: unknown) => uri, onDidReceiveMessage: () => silent };
  let isClosed = false;
  const whileOpen = {
    ...{ title: '', iconPath: undefined, active: true, visible: true, webview: page },
    onDidChangeViewState: () => silent,
    onDidDispose: (listener: () => void) => {
      closing.addEventListener('closed', listener);
      return silent;
    },
    dispose: () => {
      isClosed = true;
      closing.dispatchEvent(new Event('closed'));
    },
  };
  const refuseClosed = (name: PropertyKey): void => {
    if (isClosed && name !== 'dispose' && !String(name).startsWith('on')) {
      throw new Error('Webview is disposed');
    }
  };
  const panel = new Proxy(whileOpen, {
    get: (target, name) => (refuseClosed(name), Reflect.get(target, name) as unknown),
    set: (target, name, value) => (refuseClosed(name), Reflect.set(target, name, value)),
  });
  return { panel: panel as unknown as vscode.WebviewPanel, page };
}

const silent = { dispose: () => undefined };
