import { linesOf, reportLimits, type Place } from './report.ts';

/** Matches `at fn (PLACE)`, where a path may hold spaces. */
const inParentheses = /\((?:async )?((?:file:\/\/)?[^()]{1,1000}):(\d{1,7}):\d{1,7}\)\s*$/;
/** Matches `at PLACE` at the end of a line. */
const afterAt = /^\s*at (?:async )?((?:file:\/\/)?\S.{0,1000}?):(\d{1,7}):\d{1,7}\s*$/;
const python = /^\s*File "([^"]{1,1000})", line (\d{1,7})/;
/** Matches a file name with an ending and a line: `src/cart.rs:12:5`, `cart_test.go:7: message`. */
const anywhere =
  /(?:^|[\s([{'"`,=])((?:file:\/\/|[A-Za-z]:[\\/])?[^\s:()[\]{}'"`,=<>|*?]{1,300}\.[A-Za-z][A-Za-z0-9]{0,5}):(\d{1,7})(?![\d.])/;

/** Matches a frame of Java, which names a class and its file, without the folder. */
const java = /^\s*at ([\w.$]{1,300})\.[\w$<>]{1,200}\((\w{1,200}\.(?:java|kt)):(\d{1,7})\)/;
const javaLibraries = /^(?:java|javax|jdk|sun|kotlin|org\.(?:junit|opentest4j|assertj|hamcrest|mockito|gradle|apache\.maven))\./;

/** Matches a trace of Python, which writes the innermost frame last; everybody else writes it first. */
const innermostLast = /^\s*File "[^"\n]{1,1000}", line \d|^\S{1,300}\.py:\d+: /m;

/** The places that a stack trace or a message mentions, the innermost first. */
export function placesIn(text: string): Place[] {
  const found: Place[] = [];
  const lines = linesOf(text);
  for (const line of innermostLast.test(text) ? lines.reverse() : lines) {
    for (const place of placesOf(line)) {
      if (!found.some((known) => known.file === place.file && known.line === place.line)) {
        found.push(place);
      }
    }
    if (found.length >= reportLimits.places) {
      break;
    }
  }
  return found;
}

/** The places that a text mentions, and last the one that the report gives for the test itself. */
export function placesWithOwn(text: string, file: string | undefined, line?: string | number): Place[] {
  const own = file === undefined ? undefined : toPlace(file, line);
  return [...placesIn(text), ...(own === undefined ? [] : [own])];
}

function placesOf(line: string): readonly Place[] {
  const frame = java.exec(line);
  if (frame !== null) {
    return javaPlaces(frame[1] ?? '', frame[2] ?? '', Number(frame[3]));
  }
  const match = inParentheses.exec(line) ?? afterAt.exec(line) ?? python.exec(line) ?? anywhere.exec(line);
  const place = match?.[1] === undefined ? undefined : toPlace(match[1], match[2]);
  return place === undefined ? [] : [place];
}

/** The places of a class, in the folders where Java and Kotlin projects keep their code by custom. */
function javaPlaces(className: string, file: string, line: number): readonly Place[] {
  if (javaLibraries.test(className)) {
    return [];
  }
  const folder = className.split('.').slice(0, -1).join('/');
  const language = file.endsWith('.kt') ? 'kotlin' : 'java';
  return [`src/test/${language}`, `src/main/${language}`].map((root) => ({ file: [root, folder, file].filter(Boolean).join('/'), line }));
}

/** Makes a place; `undefined` for what cannot be a place in somebody's code. */
export function toPlace(file: string, line: string | number | undefined): Place | undefined {
  const number = line === undefined ? undefined : Number(line);
  if (file.length > reportLimits.lineLength) {
    return undefined; // no file has such a name, and a report can give it to thousands of tests
  }
  const isForeign = /^(?:node:|internal\/|https?:|native$)/.test(file) || /[\\/]node_modules[\\/]|[\\/]site-packages[\\/]/.test(file);
  if (isForeign || file === '' || (number !== undefined && !(Number.isSafeInteger(number) && number > 0))) {
    return undefined;
  }
  return { file, ...(number !== undefined && { line: number }) };
}
