/** What a sentence begins with: one of several things that have names, or more than one of the same name. */
export interface Found<T> {
  readonly matches: readonly T[];
  readonly phrase: string;
  /** Of the sentence, up to the end of the name. */
  readonly length: number;
}

/** The longest way of naming one of them that the sentence begins with: "echo", "everything echo", "echo of everything" … */
export function findNamed<T>(rest: string, things: readonly T[], waysToName: (thing: T) => readonly string[]): Found<T> | undefined {
  const lower = rest.toLowerCase().replace(/[`"'“”]/g, ' ');
  const start = /^(?:\s|the\s|tool\s|prompt\s)*/.exec(lower)?.[0].length ?? 0;
  let best: (Found<T> & { readonly matches: T[] }) | undefined;
  for (const thing of things) {
    for (const phrase of waysToName(thing)) {
      const end = start + phrase.length;
      if (!lower.startsWith(phrase.toLowerCase(), start) || /[\w-]/.test(lower[end] ?? ' ')) {
        continue;
      }
      if (best === undefined || end > best.length) {
        best = { matches: [thing], phrase, length: end };
      } else if (end === best.length && best.matches.at(-1) !== thing) {
        best.matches.push(thing);
      }
    }
  }
  return best;
}

/** With the server before or after it. */
export function withServer(name: string, server: string): readonly string[] {
  return [
    ...[' ', '.', '/', ':'].map((between) => server + between + name),
    ...[' of ', ' from ', ' on '].map((between) => name + between + server),
  ];
}

export function wordsBeforeArguments(rest: string): string {
  return (rest.split(/\{|\swith\s|\s\w+=/)[0] ?? rest)
    .replace(/[`"'“”]/g, '')
    .trim()
    .slice(0, 100);
}

/** Those whose name has one of the words in it. */
export function nearest<T>(phrase: string, things: readonly T[], nameOf: (thing: T) => string): readonly T[] {
  const words = phrase
    .toLowerCase()
    .split(/[\s._/:-]+/)
    .filter((word) => word.length > 2);
  return things.filter((thing) => words.some((word) => nameOf(thing).toLowerCase().includes(word))).slice(0, 5);
}
