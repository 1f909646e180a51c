import { blocksIn, isIndentedOrEmpty } from './blocks.ts';
import { dedent } from './report.ts';

/** What the YAML block below a test point says. Only the keys that test runners write; a YAML library would weigh more than this room. */
export interface Diagnostic {
  readonly message: string;
  readonly location: string;
  readonly stack: string;
  readonly failureType: string | undefined;
}

const maxBlockLines = 5_000;

interface DiagnosticBlock {
  /** How many lines it has; none if there is no block. */
  readonly taken: number;
  /** Of most points nobody asks what it says. */
  readonly read: () => Diagnostic;
}

/** The block that begins at `start`, below a point with that indentation. */
export function diagnosticAt(lines: readonly string[], start: number, indent: number): DiagnosticBlock {
  const opening = /^(\s+)---\s*$/.exec(lines[start] ?? '');
  if (opening?.[1] === undefined || opening[1].length <= indent) {
    return freeTextAt(lines, start, indent);
  }
  const space = opening[1];
  const limit = Math.min(lines.length, start + maxBlockLines);
  let end = start + 1;
  while (end < limit && lines[end]?.trimEnd() !== `${space}...`) {
    end += 1;
  }
  const read = (): Diagnostic => toDiagnostic(topLevelValues(dedent(lines.slice(start + 1, end)).split('\n')));
  return { taken: end - start + 1, read };
}

/** mocha writes the error below the point as it is. */
function freeTextAt(lines: readonly string[], start: number, indent: number): DiagnosticBlock {
  const limit = Math.min(lines.length, start + maxBlockLines);
  let end = start;
  while (end < limit && isTextBelow(lines[end] ?? '', indent)) {
    end += 1;
  }
  const read = (): Diagnostic => {
    const text = dedent(lines.slice(start, end));
    return { message: text, location: '', stack: text, failureType: undefined };
  };
  return { taken: end - start, read };
}

function isTextBelow(line: string, indent: number): boolean {
  const isDeeper = line.trim() === '' || line.length - line.trimStart().length > indent;
  return isDeeper && !/^\s*(?:(?:not )?ok\b|# Subtest|\d+\.\.\d+|\})/.test(line);
}

function toDiagnostic(values: ReadonlyMap<string, string>): Diagnostic {
  const get = (name: string): string => values.get(name) ?? '';
  const at = get('at');
  const file = /^\s*file(?:Name)?:\s*(.+)$/m.exec(at)?.[1];
  const line = /^\s*line(?:Number)?:\s*(\d+)$/m.exec(at)?.[1];
  const sides = ['expected', 'actual', 'wanted', 'found'].flatMap((name) => (values.has(name) ? [`${name}: ${get(name)}`] : []));
  const error = /^\s*message:\s*(.+)$/m.exec(get('error'))?.[1];
  const said = (error === undefined ? get('error') : unquote(error)) || get('message') || get('operator');
  const isPlace = /^\S.*:\d+(?::\d+)?$/.test(at);
  return {
    message: [said, ...(/expected|actual|!==|≠/i.test(said) ? [] : sides)].filter((part) => part !== '').join('\n'),
    location: get('location') || (file === undefined ? (isPlace ? at : '') : `${unquote(file)}:${line ?? 1}`),
    stack: [get('stack'), file === undefined && !isPlace ? at : ''].filter((part) => part !== '').join('\n'),
    failureType: values.get('failureType'),
  };
}

function topLevelValues(block: readonly string[]): Map<string, string> {
  const headingOf = (line: string): { readonly key: string; readonly inline: string } | undefined => {
    const [, key, inline = ''] = /^([A-Za-z_][\w-]*):(?:\s+(.*))?$/.exec(line) ?? [];
    return key === undefined ? undefined : { key, inline };
  };
  return new Map(
    blocksIn(block, headingOf, isIndentedOrEmpty).map(({ heading: { key, inline }, below }) => {
      const isBlock = inline === '' || /^[|>][+-]?\d?$/.test(inline);
      return [key, isBlock ? dedent(below).trimEnd() : unquote(inline)];
    }),
  );
}

function unquote(value: string): string {
  const text = value.trim();
  if (text.length >= 2 && text.startsWith("'") && text.endsWith("'")) {
    return text.slice(1, -1).replaceAll("''", "'");
  }
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) {
    try {
      return String(JSON.parse(text));
    } catch {
      return text.slice(1, -1);
    }
  }
  return text;
}
