/** Rises when the text below changes in a way that an older Duplex must not undo. */
export const launcherFormat = 1;

const title = `Duplex bridge launcher, format ${launcherFormat}`;
const nothingLeft = 'duplex-bridge: no installation of Duplex was found. Open VS Code with the Duplex extension once, then try again.';

/** A program for the system's own shell: it has to outlive every version of the extension. */
export function launcherText(notes: string, duplexHome: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? windowsText(notes, duplexHome) : posixText(notes, duplexHome);
}

/** POSIX sh only; `/bin/sh` is dash on many systems. */
function posixText(notes: string, duplexHome: string): string {
  return `#!/bin/sh
# ${title}
# Written by the Duplex extension of VS Code; changes are overwritten.
# Runs the bridge of the newest Duplex that is still installed, with the runtime that came with its VS Code.
notes=${quoted(notes)}
script=
runtime=
for note in "$notes"/*; do
  [ -f "$note" ] || continue
  note_script=
  note_runtime=
  { IFS= read -r note_script; IFS= read -r note_runtime; } <"$note" || continue
  if [ -f "$note_script" ] && [ -x "$note_runtime" ]; then
    script=$note_script
    runtime=$note_runtime
  fi
done
if [ -z "$script" ]; then
  echo ${quoted(nothingLeft)} >&2
  exit 1
fi
DUPLEX_HOME=${quoted(duplexHome)}
ELECTRON_RUN_AS_NODE=1
export DUPLEX_HOME ELECTRON_RUN_AS_NODE
exec "$runtime" "$script" "$@"
`;
}

/** Single quotes keep everything but themselves. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Batch files read their values in the code page of the console, so that is set to UTF-8 first. */
function windowsText(notes: string, duplexHome: string): string {
  const lines = [
    '@echo off',
    `rem ${title}`,
    'rem Written by the Duplex extension of VS Code; changes are overwritten.',
    'setlocal DisableDelayedExpansion',
    'chcp 65001 >nul 2>nul',
    `set "notes=${escaped(notes)}"`,
    'set "script="',
    'set "runtime="',
    'for /f "delims=" %%N in (\'dir /b /a-d /o:n "%notes%" 2^>nul\') do call :consider "%%N"',
    'if not defined script (',
    `  echo ${nothingLeft.replaceAll(',', '^,')} 1>&2`,
    '  exit /b 1',
    ')',
    `set "DUPLEX_HOME=${escaped(duplexHome)}"`,
    'set "ELECTRON_RUN_AS_NODE=1"',
    '"%runtime%" "%script%" %*',
    'exit /b %errorlevel%',
    ':consider',
    'set "noteScript="',
    'set "noteRuntime="',
    '( set /p "noteScript=" & set /p "noteRuntime=" ) < "%notes%\\%~1"',
    'if not defined noteScript exit /b 0',
    'if not defined noteRuntime exit /b 0',
    'if not exist "%noteScript%" exit /b 0',
    'if not exist "%noteRuntime%" exit /b 0',
    'set "script=%noteScript%"',
    'set "runtime=%noteRuntime%"',
    'exit /b 0',
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}
