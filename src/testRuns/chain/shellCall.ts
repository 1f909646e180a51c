import type { ShellWord } from './shellLine.ts';

/** How a shell is called. */
export interface ShellCall {
  /** What it is given to run as text; empty where it runs a file, and `undefined` where it cannot be known. */
  readonly line: string | undefined;
  /** What the file is given. */
  readonly rest: readonly ShellWord[];
}

const unknown: ShellCall = { line: undefined, rest: [] };
/** Of one letter each; those that take a value or change what is read are missing. */
const letters = /^[-+][abefhiklmnprtuvxBCEHPc]+$/;
const longFlags: ReadonlySet<string> = new Set(['--login', '--norc', '--noprofile', '--no-config', '--posix', '--interactive']);

/** A script file is a program; what is given to read or as text is not. */
export function readShellCall(name: string, args: readonly ShellWord[]): ShellCall {
  return name === 'cmd' ? readWindowsShell(args) : readPosixShell(args);
}

function readPosixShell(args: readonly ShellWord[]): ShellCall {
  let isText = false;
  for (const [index, { text, isOpen }] of args.entries()) {
    if (isOpen) {
      return unknown;
    }
    const attached = /^--command=(.*)$/s.exec(text)?.[1];
    if (attached !== undefined) {
      return { line: attached, rest: [] };
    }
    if (text === '--command' || letters.test(text)) {
      isText ||= text === '--command' || (text.startsWith('-') && text.includes('c'));
    } else if (text.startsWith('-') && text !== '--' && !longFlags.has(text)) {
      return unknown;
    } else if (!text.startsWith('-')) {
      return isText ? { line: text === '' ? ' ' : text, rest: [] } : { line: '', rest: args.slice(index + 1) };
    }
  }
  return unknown;
}

/** `cmd /d /s /c "…"`: all that follows is the command, also without a space. */
function readWindowsShell(args: readonly ShellWord[]): ShellCall {
  const command = /^(?:\/\/?[adsquefv](?::\w+)?)*\/\/?[ckr](.*)$/is;
  const at = args.findIndex(({ text }) => command.test(text));
  const attached = command.exec(args[at]?.text ?? '')?.[1] ?? '';
  const words = [attached, ...args.slice(at + 1).map(({ text }) => text)].join(' ').trim();
  return at < 0 || words === '' || args.some(({ isOpen }) => isOpen) ? unknown : { line: words, rest: [] };
}
