import { createEditorCatalog } from './catalog/editorCatalog.ts';
import type { EditorPort } from './ports/editorPort.ts';
import { createServerCore, type EmbeddedServer, type ServerCoreOptions } from './serverCore.ts';
import { withholding } from './withheld.ts';

export interface EmbeddedServerOptions extends Omit<ServerCoreOptions, 'catalog' | 'folders'> {
  readonly editor: EditorPort;
  /** Further folders nobody outside ever sees into, such as the editor's own data. */
  readonly neverShown?: readonly string[] | undefined;
}

/** The running editor as an MCP server. */
export function createEmbeddedServer({ editor, neverShown = [], ...options }: EmbeddedServerOptions): EmbeddedServer {
  const seen = withholding(editor, { neverShown: [options.duplexHome, ...neverShown] });
  const catalog = createEditorCatalog(editor, () => seen);
  const folders = { list: () => editor.listWorkspaceFolders(), onDidChange: editor.onDidChangeWorkspaceFolders };
  return createServerCore({ ...options, catalog, folders });
}
