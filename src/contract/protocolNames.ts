/** The revision of MCP that has no sessions and no `initialize`. */
export const modernRevision = '2026-07-28';

/** The most messages in a batch. */
export const maxBatchItems = 100;

const prefix = 'io.modelcontextprotocol/';

/** The members of `_meta` to which that revision gives a meaning. */
export const metaKey = {
  protocolVersion: `${prefix}protocolVersion`,
  clientInfo: `${prefix}clientInfo`,
  clientCapabilities: `${prefix}clientCapabilities`,
  logLevel: `${prefix}logLevel`,
  serverInfo: `${prefix}serverInfo`,
  subscriptionId: `${prefix}subscriptionId`,
} as const;

/** The member of `_meta` by which the editor's own server recognises a call of the chat or of another part of Duplex. */
export const ownCallKey = 'duplex-mcp.duplex/call';

/** The name of the tasks extension of 2026, in which the server decides what becomes a task and the client polls for everything. */
export const tasksExtension = `${prefix}tasks`;

/** The name of the skills extension of 2026, by which a server serves instructions for agents as files. */
export const skillsExtension = `${prefix}skills`;

/** The name of the apps extension: a tool of a server may have a page that shows its result. */
export const appsExtension = `${prefix}ui`;

/** The only type of page that an app may have. */
export const appMimeType = 'text/html;profile=mcp-app';

/** The revision of the messages between an app and its host. */
export const appsRevision = '2026-01-26';
