// errors/: what goes wrong in the server, as tables of codes with their sentences.
import { errorMaker, type ErrorTable, type SentenceTable, hasCode, sentencesOf } from '../../base/errors.ts';
import { describeProblems } from '../../contract/settings/settingProblems.ts';

const waiting = 'waiting for approval in VS Code';

/** What clients and the models behind them are told. It is English only, because people do not read it. */
const clientErrorTable = {
  // Who may do what.
  'server.denied': () => 'denied by the person in VS Code',
  'server.deniedBefore': () =>
    'denied by the person in VS Code: they stored “Always deny” and can take it back there with “Duplex: Manage Permissions”',
  'server.commandDenied': () => 'This action runs a command and so needs the role runner and a yes of the person, who did not give it.',
  'server.policy': () => "denied by the person's policy (duplex.server.policy)",
  'server.policyMalformed': ({ problem }: { problem: string }) =>
    `denied by the person's policy (duplex.server.policy), which is malformed (${problem}): nothing that acts is allowed until it is corrected`,
  'server.notRecorded': ({ reason }: { reason: string }) =>
    `Duplex cannot write its audit log (${reason}), so it lets nobody in and does nothing that acts. The person in VS Code was told; try again when it can.`,
  'server.rateLimited': () => 'too many acting calls; try again in a second',
  'server.role': ({ role }: { role: string }) => `needs the role ${role}`,
  'server.roleBeyondToken': ({ role }: { role: string }) => `needs the role ${role}, which this token was not made for`,
  'server.tooManyQuestions': () => 'too many questions wait for an answer in VS Code',
  'server.waiting': () =>
    `${waiting}: the question stays open there while you stay connected, so repeat this identical call to get its answer`,
  'server.stillWaiting': () => waiting,
  'server.waitingAfterDenial': ({ seconds }: { seconds: number }) =>
    `${waiting}: the last question about this token was denied or withdrawn, the next one opens in ${seconds} s; repeat this identical call then`,

  // Sessions and streams.
  'server.noSession': () =>
    'There is no such session: it ended or never was. Initialize again: send initialize without the Mcp-Session-Id header.',
  'server.noSseSession': () => 'There is no such session: it ended or never was. Initialize again: open GET /sse and send initialize.',
  'server.sessionsInUse': ({ limit }: { limit: number }) =>
    `All ${limit} sessions of this VS Code window are in use. End one (DELETE with its Mcp-Session-Id, or close its connection) and try again; the person can allow more with "sessions" in duplex.server.limits.`,
  'server.streamsInUse': ({ limit }: { limit: number }) =>
    `All ${limit} streams of this VS Code window are in use. Close one and try again; the person can allow more with "streams" in duplex.server.limits.`,

  // Tools, resources and prompts. The arguments of the first two are sent to the client, too.
  'server.badPromptArguments': ({ parameter, reason }: { parameter: string; reason: string }) =>
    `Invalid arguments: ${parameter}: ${reason}`,
  'server.invalidCursor': ({ parameter }: { parameter: string; reason: string }) => `Invalid ${parameter}`,
  'server.configurationOrTest': () => 'Give either configuration or test; list_debug shows the configurations.',
  'server.launchChanged': ({ name }: { name: string }) =>
    `"${name}" is defined differently by now. Nothing was started: call again to ask anew.`,
  'server.lineOrSymbol': () => 'Give line or symbol for each place, and not both.',
  'server.testNotDebuggable': ({ commands }: { commands: string }) =>
    `These tests are run in a way that a debugger cannot follow (${commands}): name a configuration of launch.json instead.`,
  'server.toLineContinues': () => 'toLine goes with the action continue alone.',
  'server.terminalChanged': () => 'The terminal is another one than when the person was asked. Nothing was run: call again to ask anew.',
  'server.folderChanged': () => 'The folder is another one than when the person was asked. Nothing was run: call again to ask anew.',
  'server.commandOrInput': () => 'Give either command, or input for the command that runs in your terminal.',
  'server.inputWithCwd': () => 'cwd goes with command: input goes to where the command that runs is.',
  'server.nothingRuns': () =>
    'No command of yours runs now, so nobody reads this input. Nothing was typed: get_terminal_output shows how the last one ended.',
  'server.notAllSaved': () =>
    'Nothing was run: the person wanted everything saved first, and VS Code could not save all of it; it says why in its window.',
  'server.endBeforeStart': () => 'endLine is before startLine.',
  'server.placeOrSymbol': () => 'Give both line and character, or symbol instead of them.',
  'server.noOutline': ({ path }: { path: string }) =>
    `No language service knows symbols of "${path}": read_file and search_text show its lines.`,
  'server.noSymbol': ({ path, symbol, names }: { path: string; symbol: string; names: string }) =>
    `There is no symbol "${symbol}" in "${path}". There are: ${names}. get_document_symbols shows the outline.`,
  'server.severalSymbols': ({ path, symbol, places }: { path: string; symbol: string; places: string }) =>
    `"${symbol}" means several symbols of "${path}": ${places}. Give more of the name, or use these places.`,
  'server.symbolInCell': () => 'The cells of a notebook have no symbols: give oldText or range with cell.',
  'server.tooManySymbols': ({ limit }: { limit: number }) =>
    `At most ${limit} edits of a file can name a symbol in one call; send them in parts. Nothing was changed.`,
  'server.symbolNowhere': ({ symbol }: { symbol: string }) =>
    `No language service knows a symbol "${symbol}" in this workspace: give its path, or try search_text.`,
  'server.symbolInSeveralFiles': ({ symbol, places }: { symbol: string; places: string }) =>
    `There are several symbols "${symbol}": ${places}. Give the path of one.`,
  'server.terminalNotFound': ({ path }: { path: string }) => `There is no terminal "${path}" in this window.`,
  'server.testRunNotFound': ({ path }: { path: string }) => `There is no test run "${path}": only the last runs of this window are kept.`,
  'editor.silent': () =>
    "VS Code's window does not answer: its page was closed or reloaded, or it hangs. Reload the window or choose another. What was begun may or may not have been done.",
  'editor.unfinished': ({ seconds }: { seconds: number }) =>
    `VS Code did not finish this within ${seconds} s. It may still be done: look before you try again.`,

  // Questions to the client.
  'server.clientCannot': ({ names }: { names: string }) => `This needs ${names}, which the client did not declare.`,
  'server.clientNotReady': () => 'The client has not sent notifications/initialized yet.',
  'server.clientRefused': ({ method, words }: { method: string; words: string }) => `The client answered ${method} with: ${words}`,
  'server.clientSilent': () => 'The client did not answer.',
  'server.tooManyRounds': () => 'The client was asked too often.',
} as const satisfies ErrorTable;

export const clientError = errorMaker(clientErrorTable);

/** An error as a client may read it: the sentence for the person names files of this machine. */
export function asToldToClients(error: unknown): unknown {
  if (!(error instanceof Error) || !hasCode(error, 'audit.notWritten')) {
    return error;
  }
  const { cause } = error;
  const isNamed = typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string';
  return clientError('server.notRecorded', { reason: isNamed ? String(cause.code) : 'it failed' }, { cause: error });
}

/** The sentence of a code, for refusals that are no exceptions. */
export const clientSentence = sentencesOf(clientErrorTable);

const notFoundCodes = ['editor.pathNotFound', 'editor.isFolder', 'server.terminalNotFound', 'server.testRunNotFound'] as const;

/** Whether something does not exist, or is withheld from this client: both get the same answer. */
export function isNotFound(error: unknown): boolean {
  return notFoundCodes.some((code) => hasCode(error, code));
}

/** What people are told about errors of the server. */
export const serverErrorTable = {
  'server.discovery': 'The discovery file could not be written: {reason}',
  'server.link.closed': 'The link to the editor is closed.',
  'server.link.used': 'A link to the editor can be started once.',
  'server.start': 'The server of this editor could not be started: {reason}',
  'server.stopped': 'The server has stopped.',
  'server.tls.encryptedKey': '"{entry}" in duplex.server.tls: {path} is protected by a passphrase, which cannot be given.',
  'server.tls.expired': '"{entry}" in duplex.server.tls: {path} has expired on {validTo}.',
  'server.tls.malformed': {
    text: 'duplex.server.tls is malformed: {problems}.',
    words: { problems: (problems, say) => describeProblems('duplex.server.tls', problems, say) },
  },
  'server.tls.missing': '"{entry}" in duplex.server.tls: {path} does not exist.',
  'server.tls.noCertificate': '"{entry}" in duplex.server.tls: {path} holds no certificate in PEM form.',
  'server.tls.noKey': '"{entry}" in duplex.server.tls: {path} holds no private key in PEM form.',
  'server.tls.notAbsolute': '"{entry}" in duplex.server.tls is not an absolute path.',
  'server.tls.otherKey': '"{entry}" in duplex.server.tls: {path} does not belong to the certificate.',
  'server.tls.unreadable': '"{entry}" in duplex.server.tls: {path} cannot be read: {reason}.',
} as const satisfies SentenceTable;

export const serverError = errorMaker(serverErrorTable);
