/**
 * What Duplex itself says among the fields of a start question, beside the values of the definition. In English they are part of
 * what a permission is bound to; a page says them in the language of its window.
 */
export const startNotes = {
  lookedUpLater: 'looked up on the PATH of your login shell once you allow it',
  dependsOnInput: 'depends on what you enter once you allow it',
  debuggerMeaning: 'it can be debugged from this machine; the port 0 stands for a free one',
  readInstead: 'it starts this program, so the program is started without it',
  runByInterpreter: 'Windows runs it with cmd.exe',
  nothingStands: 'this variable is not set where VS Code was started, so nothing stands in its place',
  fromFile: 'a value from the envFile',
  notEncrypted: 'none: headers, inputs, secrets and everything else sent to this address can be read and changed by others on the way',
  theCommand: 'the command',
  fromEnvFile: 'its environment, from the envFile',
} as const;
