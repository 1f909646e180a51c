// pasted/: what people have in hand when they add a server (a command line, an address, a package, JSON), read without running
// anything; what is missing in it, and which of it is a secret. readPasted.ts decides what a text is.
import { decodedAddress } from '../../base/addresses.ts';
import { isAppError } from '../../base/errors.ts';
import { looksLikeJson, readPastedJson } from './pastedJson.ts';
import { readPastedCommand, splitPasted } from './pastedCommand.ts';
import { type PastedServers, type Pasted, type PastedServer, pasteProblem, toLocal, toPasted } from './pastedServers.ts';

/** The longest text that is read: no entry of a server is near it. */
const maxLength = 100_000;

/** Reads a text that somebody typed or pasted to add a server. */
export function readPasted(text: string): Pasted {
  try {
    const plain = withoutDecoration(text);
    if (plain === '') {
      throw pasteProblem('paste.empty');
    }
    if (plain.length > maxLength) {
      throw pasteProblem('paste.tooLong', { most: maxLength });
    }
    return looksLikeJson(plain) ? toPasted(readPastedJson(plain)) : readLine(plain);
  } catch (error) {
    if (isAppError(error)) {
      return { kind: 'problem', problem: error };
    }
    throw error;
  }
}

/** Takes away what a README or a terminal shows around a command: a code fence, quotes of code, and the sign of the prompt. */
function withoutDecoration(text: string): string {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const fenced = /^```[\w-]*\s([\s\S]*?)\s?```$/.exec(trimmed)?.[1] ?? /^`([^`]+)`$/.exec(trimmed)?.[1] ?? trimmed;
  return fenced.trim().replace(/^(?:\$|>|#|PS [^>]{0,200}>)\s+/, '');
}

function readLine(text: string): Pasted {
  // A line that goes on: the sign at its end stands alone, and in a text box of one line a space follows it.
  const { env, words } = splitPasted(text.replace(/(^|\s)[\\`^](?=\s|$)/g, '$1'));
  const [first = ''] = words;
  if (words.length !== 1 || Object.keys(env).length > 0) {
    return toPasted(readPastedCommand({ env, words }));
  }
  return isWord(first) ? readWord(first) : toPasted(readSingle(first));
}

function isWord(text: string): boolean {
  return /^[a-z\d][\w.-]*(?:@[\w.^~-]+|==[\w.]+)?$/i.test(text) && !/\.(?:exe|cmd|bat|sh|py|[cm]?[jt]s)$/i.test(text);
}

/** Reads one word that may be a package or a program. */
function readWord(word: string): Pasted {
  return {
    kind: 'word',
    readings: { npm: toLocal(['npx', '-y', word]), python: toLocal(['uvx', word]), program: toLocal([word]) },
  };
}

/** Reads a text without a space: an address, a link that installs, a package of npm with its scope, or the path of a program. */
function readSingle(text: string): PastedServers {
  const [, registry, name = ''] = /^(npm|pypi):(\S+)$/.exec(text) ?? [];
  if (/^@[\w.-]+\/[\w.-]+(?:@[\w.^~-]+)?$/.test(text) || registry === 'npm') {
    return one(toLocal(['npx', '-y', registry === 'npm' ? name : text]));
  }
  if (registry === 'pypi') {
    return one(toLocal(['uvx', name]));
  }
  if (/^(?:vscode(?:-insiders)?:mcp|[a-z][a-z\d+.-]*:\/\/)/i.test(text)) {
    return readAddress(text);
  }
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/.test(text)) {
    return readAddress(`http://${text}`);
  }
  if (/^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,20}(?::\d+)?\//i.test(text) && !text.includes('\\')) {
    return readAddress(`https://${text}`);
  }
  return one(/\.[cm]?js$/i.test(text) ? toLocal(['node', text]) : toLocal([text]));
}

function one(server: PastedServer): PastedServers {
  return { servers: [server] };
}

function readAddress(text: string): PastedServers {
  const link = readInstallLink(text);
  if (link !== undefined) {
    return link;
  }
  if (!URL.canParse(text)) {
    throw pasteProblem('paste.badUrl', { url: text });
  }
  const { protocol, hostname, pathname } = new URL(text);
  const [, npm] = /^\/package\/((?:@[\w.-]+\/)?[\w.-]+)/.exec(pathname) ?? [];
  const [, python] = /^\/project\/([\w.-]+)/.exec(pathname) ?? [];
  if (npm !== undefined && /^(?:www\.)?npmjs\.com$/.test(hostname)) {
    return one(toLocal(['npx', '-y', npm]));
  }
  if (python !== undefined && hostname === 'pypi.org') {
    return one(toLocal(['uvx', python]));
  }
  if (/^(?:www\.)?(?:github|gitlab)\.com$/.test(hostname)) {
    throw pasteProblem('paste.repository', { url: text });
  }
  if (!['https:', 'http:', 'wss:', 'ws:'].includes(protocol)) {
    throw pasteProblem('paste.badUrl', { url: text });
  }
  return one({ definition: { url: text }, leftOut: [] });
}

/** Reads the links behind "Install in VS Code" and "Add to Cursor", which hold the definition as JSON. */
function readInstallLink(text: string): PastedServers | undefined {
  const [, ofVsCode] = /(?:^|=)vscode(?:-insiders)?:mcp\/install\?(.+)$/i.exec(decodedAddress(text)) ?? [];
  if (ofVsCode !== undefined) {
    return readPastedJson(decodedAddress(ofVsCode));
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const config = url !== undefined && /install-mcp$|mcp\/install$/.test(url.pathname) ? url.searchParams.get('config') : null;
  if (url === undefined || config === null) {
    return undefined;
  }
  const json = config.trimStart().startsWith('{') ? config : fromBase64(config);
  const { servers, inputs = [] } = readPastedJson(json);
  const name = url.searchParams.get('name') ?? undefined;
  return { servers: servers.map((server) => ({ ...server, name: name ?? server.name })), inputs };
}

function fromBase64(text: string): string {
  const decoded = Buffer.from(text.replaceAll(' ', '+'), 'base64').toString('utf8');
  if (!decoded.trimStart().startsWith('{')) {
    throw pasteProblem('paste.badLink');
  }
  return decoded;
}
