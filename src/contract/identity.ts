// contract/: what others hold Duplex to, each thing once, as schema and type: names (this file), commands, settings, the discovery
// file, questions, and the messages between its own processes and pages.
/** The name of this product, wherever it is said. */
export const productName = 'Duplex';
export const extensionId = 'duplex-mcp.duplex';

export const views = {
  container: 'duplex',
  chat: 'duplex.chat',
  servers: 'duplex.servers',
  clients: 'duplex.clients',
  panelContainer: 'duplexPanel',
  traffic: 'duplex.traffic',
} as const;

/** The view types of tabs that VS Code restores after a reload of the window. */
export const tabTypes = {
  conversation: 'duplex.conversation',
  runner: 'duplex.runner',
} as const;

/** The reserved name under which the chat reaches the editor's own server. */
export const editorServerName = 'editor';

/** The id in package.json under which the embedded server is offered to VS Code's own agent. */
export const mcpServerProvider = 'duplex.editor';

/** The type, in tasks.json, of tasks that run a tool. */
export const toolTaskType = 'duplex';

/** The id of VS Code's own agent as a client, whatever token it has today. */
export const agentCredentialId = 'vscode-agent';

/** The kind of the quick fixes that lead to the chat. They are for people alone, so clients are not offered them. */
export const ownActionKind = 'quickfix.duplex';

/** The URI schemes of Duplex's own documents: what tools and servers gave, for the person to see. No client is shown them. */
export const ownSchemes = {
  /** Results and reports. */
  document: 'duplex-document',
  /** A resource of a server, as a file that cannot be written. */
  resource: 'duplex-resource',
  /** A picture or sound that a tool gave. */
  media: 'duplex-media',
  /** What a prompt of a server gives. */
  prompt: 'duplex-prompt',
} as const;

/** The URI scheme of what a client proposes: a document that the person may change before accepting it. */
export const proposalScheme = 'duplex-proposal';
