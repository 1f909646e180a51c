/** Every command, once, by the last part of its id (`duplex.` stands before it). A test compares this list with package.json. */
export const commands = [
  'openChat',
  'newConversation',
  'setApiKey',
  'removeApiKey',
  'addServer',
  'startServer',
  'stopServer',
  'restartServer',
  'showServerLog',
  'signOut',
  'openServerDefinition',
  'editServer',
  'disableServer',
  'enableServer',
  'removeServer',
  'forgetServerInputs',
  'runTool',
  'doctor',
  'managePermissions',
  'showAuditLog',
  'revokeClient',
  'rotateServerToken',
  'copyClientConfiguration',
  'changeClientRole',
  'changeClientAccess',
  'accept',
  'reject',
  'showPermissionQuestions',
] as const;

export type CommandName = (typeof commands)[number];
export type CommandId = `duplex.${CommandName}`;
