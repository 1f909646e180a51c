/** The words of a command line that needs no shell; `undefined` when only a shell knows what it means. */
export function splitCommand(commandLine: string): readonly string[] | undefined {
  if (/[|&;<>()$`*?[\]{}~#!\\\n\r%^]/.test(commandLine)) {
    return undefined;
  }
  const words: string[] = [];
  const word = /\s*((?:[^\s"']|"[^"]*"|'[^']*')+)/y;
  const text = commandLine.trim();
  while (word.lastIndex < text.length) {
    const match = word.exec(text);
    if (match?.[1] === undefined) {
      return undefined;
    }
    words.push(
      match[1].replace(/"([^"]*)"|'([^']*)'/g, (_, double: string | undefined, single: string | undefined) => double ?? single ?? ''),
    );
  }
  // A variable in front is the shell's business.
  return words.length === 0 || /^[A-Za-z_]\w*=/.test(words[0] ?? '') ? undefined : words;
}

/** For people: what they would type. */
export function joinCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
