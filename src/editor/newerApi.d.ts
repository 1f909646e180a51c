/** Stable API newer than the oldest VS Code that Duplex runs in. Whoever uses it asks `vscode.version` first. */
declare module 'vscode' {
  /** Offers MCP servers to VS Code's own agent; there since VS Code 1.101. */
  export class McpHttpServerDefinition {
    readonly label: string;
    uri: Uri;
    headers: Record<string, string>;
    version: string | undefined;
    constructor(label: string, uri: Uri, headers?: Record<string, string>, version?: string);
  }

  /** Since 1.101. */
  export interface McpServerDefinitionProvider<T extends McpHttpServerDefinition = McpHttpServerDefinition> {
    readonly onDidChangeMcpServerDefinitions?: Event<void>;
    provideMcpServerDefinitions(token: CancellationToken): ProviderResult<T[]>;
    /** Called when the server is about to be used. */
    resolveMcpServerDefinition?(server: T, token: CancellationToken): ProviderResult<T>;
  }

  /** Since 1.106. A message takes this wherever it takes a text part, so it is declared with the shape of one. */
  export class LanguageModelDataPart extends LanguageModelTextPart {
    static image(data: Uint8Array, mimeType: string): LanguageModelDataPart;
  }

  export namespace lm {
    /** Since 1.101; `id` is contributed in package.json. */
    export function registerMcpServerDefinitionProvider(id: string, provider: McpServerDefinitionProvider): Disposable;
  }
}
