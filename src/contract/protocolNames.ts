/** The revision without sessions and without `initialize`. */
export const modernRevision = '2026-07-28';

const prefix = 'io.modelcontextprotocol/';

/** Members of `_meta` that the revision without sessions gives a meaning to. */
export const metaKey = {
  protocolVersion: `${prefix}protocolVersion`,
  clientInfo: `${prefix}clientInfo`,
  clientCapabilities: `${prefix}clientCapabilities`,
  logLevel: `${prefix}logLevel`,
  serverInfo: `${prefix}serverInfo`,
  subscriptionId: `${prefix}subscriptionId`,
} as const;

/** Member of `_meta` by which the editor's own server knows a call of the chat or another surface of Duplex. */
export const ownCallKey = 'duplex-mcp.duplex/call';

/** The extension of 2026: the server decides what becomes a task, and polling brings everything. */
export const tasksExtension = `${prefix}tasks`;
