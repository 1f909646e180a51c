import type { DiagnosticEntry } from '../../server/seen/ports/editorPort.ts';
import type { TerminalCommand } from '../../server/seen/ports/terminalsPort.ts';
import type { DirectoryEntry, GitPage } from '../../server/seen/ports/workspacePort.ts';
import type { TestRun } from '../../testRuns/testRun.ts';

/** What is attached, in words for models: a line for each thing, and what was left out. */

/** 1-based, both included. */
interface Lines {
  readonly start: number;
  readonly end: number;
}

export function diagnosticsText(diagnostics: readonly DiagnosticEntry[], total: number): string {
  const lines = diagnostics.map(({ path, range: { start }, severity, message, source, code }) => {
    const by = [source, code].filter((part) => part !== undefined && part !== '').join(' ');
    return `${severity} ${path}:${start.line}:${start.character} ${indented(message)}${by === '' ? '' : ` (${by})`}`;
  });
  const left = total - diagnostics.length;
  return [
    ...(lines.length === 0 ? ['No problems are shown.'] : lines),
    ...(left > 0 ? [`${left} more problems are not listed.`] : []),
  ].join('\n');
}

export function touches({ range }: DiagnosticEntry, lines: Lines | undefined): boolean {
  return lines === undefined || (range.start.line <= lines.end && range.end.line >= lines.start);
}

export function testRunText({ command, status, exitCode, startedAt, counts, failures, output }: TestRun): string {
  const facts = [`status: ${status}`, ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]), `started ${startedAt}`].join(', ');
  return [
    `$ ${command} (${facts})`,
    ...(counts === undefined ? [] : [`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`]),
    ...failures.map(({ name, message, path, line }) => {
      const place = path === undefined ? '' : ` (${path}${line === undefined ? '' : `:${line}`})`;
      return `Failed: ${name}${place}\n  ${indented(message)}`;
    }),
    ...(output === '' ? [] : [`Output:\n${output}`]),
  ].join('\n');
}

export function terminalText(commands: readonly TerminalCommand[]): string {
  return commands
    .map(({ command, exitCode, isRunning, output, isCut }) => {
      const state = isRunning ? 'running' : exitCode === undefined ? 'exit code unknown' : `exit code ${exitCode}`;
      return `$ ${command} (${state})\n${isCut ? '[the beginning is cut]\n' : ''}${output}`;
    })
    .join('\n');
}

export function changesText({ changes, hasMore }: GitPage): string {
  const files = changes.map(({ path, oldPath, status, diff }) => {
    const head = `${status} ${oldPath === undefined ? '' : `${oldPath} → `}${path}`;
    return diff === undefined || diff === '' ? head : `${head}\n${diff}`;
  });
  return [
    ...(files.length === 0 ? ['Nothing has changed since the last commit.'] : files),
    ...(hasMore ? ['More files are not listed.'] : []),
  ].join('\n');
}

export function listingText(entries: readonly DirectoryEntry[], hasMore: boolean): string {
  const lines = entries.map(({ path, kind, size }) =>
    kind === 'directory' ? `${path}/` : `${path}${size === undefined ? '' : ` (${size} bytes)`}`,
  );
  return [...(lines.length === 0 ? ['The folder is empty.'] : lines), ...(hasMore ? ['More is not listed.'] : [])].join('\n');
}

/** Further lines belong to the first one. */
function indented(text: string): string {
  return text.replace(/\r?\n/g, '\n  ');
}
