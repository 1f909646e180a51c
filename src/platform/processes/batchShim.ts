import path from 'node:path';

/** What a batch file of a package manager does: it starts one program with its own arguments before those it is given, and nothing else. */
export interface BatchShim {
  readonly program: ShimProgram;
  readonly args: readonly string[];
  /** The files among program and arguments: all of them have to be there. */
  readonly files: readonly string[];
  /** The variables that it sets for the program. */
  readonly env: Readonly<Record<string, string>>;
}

export type ShimProgram =
  | { readonly kind: 'file'; readonly path: string }
  /** A name that is looked for at `beside` first, then on PATH. */
  | { readonly kind: 'name'; readonly name: string; readonly beside: string | undefined };

/** The longest batch file that is read: those of package managers have less than 2 KB. */
export const maxShimBytes = 16 * 1024;

// The parts of such files, with each line trimmed and without `@`. What fits no pattern as a whole is not understood, and not
// guessed at: a file that does anything else besides is an ordinary batch file.
const base = String.raw`%(?:~dp0|dp0%)\\?`;
const findFolder = String.raw`:find_dp0\nset dp0=%~dp0\nexit /b\n`;
const head = String.raw`(?:echo off\n)?(?:goto start\n${findFolder}:start\n)?(?:setlocal\n)?(?:call :find_dp0\n)?`;
const assignments = String.raw`(?<sets>(?:set [a-z_]\w*=[^\n"%!&|<>^]*\n)*)`;
const modules = String.raw`(?:if not defined node_path \(\nset "node_path=(?<modules>[^"\n%!]*)"\n\) else \(\nset "node_path=(?:\k<modules>;%node_path%|%node_path%;\k<modules>)"\n\)\n)?`;
const extensions = String.raw`set pathext=%pathext:;\.js;=;%`;
const word = String.raw`(?:"[^"\n]*"|[^\s"%!&|<>^()]+)`;
const rest = String.raw`(?<rest>(?: ${word})*) %\*\n`;
const silently = String.raw`(?:endlocal & goto #_undefined_# 2>nul \|\| title %comspec% & (?:${extensions} & )?)?`;
const tail = String.raw`(?:endlocal\n)?(?:exit /b %errorlevel%\n${findFolder})?`;
const name = String.raw`(?<name>[\w.-]+)`;

const bodies = [
  // npm: the program is chosen first.
  String.raw`if exist "${base}${name}\.exe" \(\nset "_prog=${base}\k<name>\.exe"\n\) else \(\nset "_prog=\k<name>"\n(?:${extensions}\n)?\)\n${silently}"%_prog%"${rest}`,
  // pnpm, and npm before 2015: each choice has its own line.
  String.raw`if exist "${base}${name}\.exe" \(\n"${base}\k<name>\.exe"${rest}\) else \(\n(?:setlocal\n)?(?:${extensions}\n)?\k<name>\k<rest> %\*\n\)\n`,
  // A program without interpreter, and what people write by hand.
  String.raw`(?<first>"[^"\n]+"|[\w.-]+)${rest}`,
];
const forms = bodies.map((body) => new RegExp(`^${head}${assignments}${modules}${body}${tail}$`, 'i'));

/** Programs that a line may name without a folder. cmd.exe and its own commands are not among them. */
const interpreters = /^(?:node(?:js)?|deno|bun|tsx|ts-node|python[\d.]*|py|ruby|perl|php|java|dotnet|sh|bash)$/i;

/** Reads the batch file that stands in `folder`. Undefined when it is none of the known forms; `env` is the environment it would get. */
export function readBatchShim(text: string, folder: string, env: Readonly<Record<string, string>>): BatchShim | undefined {
  const lines = plainLines(text);
  for (const form of forms) {
    const found = form.exec(lines)?.groups;
    if (found !== undefined) {
      return shimOf(found, folder, env);
    }
  }
  return undefined;
}

/** npm's own `npm.cmd` and `npx.cmd`, which stand beside node.exe: the script that the file starts, undefined for another file. */
export function npmScriptOf(text: string, fileName: string): string | undefined {
  const own = /^np([mx])\.cmd$/i.exec(fileName)?.[1]?.toLowerCase();
  const lines = plainLines(text);
  const started = /\n"%node_exe%" "%np([mx])_cli_js%" %\*\n$/i.exec(lines)?.[1]?.toLowerCase();
  const script = path.win32.join('node_modules', 'npm', 'bin', `np${own}-cli.js`);
  const isNamed = lines.toLowerCase().includes(`\nset "np${own}_cli_js=%~dp0\\${script}"\n`);
  return own !== undefined && own === started && isNamed ? script : undefined;
}

/** The lines without indentation, empty ones, comments and the `@` that keeps cmd.exe from printing them. */
function plainLines(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const plain = lines.map((line) =>
    line
      .trim()
      .replace(/^@/, '')
      .replace(/"[^"]*"|\s+/g, (part) => (part.startsWith('"') ? part : ' ')),
  );
  return plain
    .filter((line) => line !== '' && !line.startsWith('::'))
    .map((line) => `${line}\n`)
    .join('');
}

function shimOf(found: Readonly<Record<string, string | undefined>>, folder: string, env: BatchShim['env']): BatchShim | undefined {
  const args = wordsIn(found['rest'] ?? '', folder);
  const program = programOf(found, folder);
  if (program === undefined || args === undefined) {
    return undefined;
  }
  const files = [...args.filter(({ isFile }) => isFile).map(({ text }) => text), ...(program.kind === 'file' ? [program.path] : [])];
  return { program, args: args.map(({ text }) => text), files, env: { ...assigned(found['sets'] ?? ''), ...withModules(found, env) } };
}

function programOf({ name: chosen, first }: Readonly<Record<string, string | undefined>>, folder: string): ShimProgram | undefined {
  if (chosen !== undefined) {
    const isKnown = interpreters.test(chosen);
    return isKnown ? { kind: 'name', name: chosen, beside: path.win32.join(folder, `${chosen}.exe`) } : undefined;
  }
  const [read] = wordsIn(` ${first ?? ''}`, folder) ?? [];
  if (read?.isFile === true) {
    const hasEnding = path.win32.extname(read.text) !== '';
    return { kind: 'file', path: hasEnding ? read.text : `${read.text}.exe` };
  }
  return read !== undefined && interpreters.test(read.text) ? { kind: 'name', name: read.text, beside: undefined } : undefined;
}

interface ShimWord {
  readonly text: string;
  readonly isFile: boolean;
}

/** The words of a line. Undefined when one of them has a variable in it other than the folder of the file at its start. */
function wordsIn(line: string, folder: string): readonly ShimWord[] | undefined {
  const words = [...line.matchAll(/ (?:"([^"]*)"|(\S+))/g)].map(([, quoted, bare = '']): ShimWord | undefined => {
    const text = quoted ?? bare;
    const inFolder = /^%(?:~dp0|dp0%)(.*)$/i.exec(text)?.[1];
    if (/[%!]/.test(inFolder ?? text)) {
      return undefined;
    }
    if (inFolder !== undefined) {
      return { text: path.win32.join(folder, inFolder), isFile: true };
    }
    return { text, isFile: quoted !== undefined && /^(?:[a-z]:)?[\\/](?![\\/])/i.test(text) };
  });
  return words.some((each) => each === undefined) ? undefined : words.filter((each) => each !== undefined);
}

function assigned(sets: string): Record<string, string> {
  return Object.fromEntries([...sets.matchAll(/set (\w+)=(.*)\n/gi)].map(([, key = '', value = '']) => [key, value]));
}

/** Where the program's modules are, before those that the environment names already. */
function withModules({ modules: added }: Readonly<Record<string, string | undefined>>, env: BatchShim['env']): Record<string, string> {
  if (added === undefined) {
    return {};
  }
  const own = Object.entries(env).find(([key]) => key.toUpperCase() === 'NODE_PATH')?.[1];
  return { NODE_PATH: own === undefined || own === '' ? added : `${added};${own}` };
}
