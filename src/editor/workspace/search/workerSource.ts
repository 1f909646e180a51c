/**
 * Runs in a thread of its own, made from this text: patterns and file names are other people's, and a thread can be
 * stopped in the middle of a regular expression. It reports after every piece of work, so that its owner sees it live.
 */
export const workerSource = String.raw`
const { parentPort } = require('node:worker_threads');
const { readFileSync, realpathSync, statSync } = require('node:fs');
const { join } = require('node:path');

parentPort.on('message', (message) => {
  if (message.kind === 'filter') {
    filter(message);
  } else {
    search(message);
  }
  parentPort.postMessage({ kind: 'finished' });
});

function filter({ paths, prefixLengths, include, exclude }) {
  const wanted = include.map(toRegExp);
  const unwanted = exclude.map(toRegExp);
  let kept = [];
  paths.forEach((path, index) => {
    const own = path.slice(prefixLengths[index]);
    const matches = (pattern) => pattern.test(own) || (own !== path && pattern.test(path));
    if ((wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches)) {
      kept.push(index);
    }
    if (index % 500 === 499) {
      parentPort.postMessage({ kind: 'kept', indexes: kept });
      kept = [];
    }
  });
  parentPort.postMessage({ kind: 'kept', indexes: kept });
}

function search({ root, files, texts, pattern, maxLines, maxBytes }) {
  const expression = toRegExp(pattern);
  const realRoot = root === undefined ? undefined : realpathSync(root);
  for (const file of files) {
    let text;
    try {
      text = readText(root, realRoot, file, maxBytes);
    } catch {}
    report(file, text, expression, maxLines);
  }
  for (const [file, text] of texts) {
    report(file, text, expression, maxLines);
  }
}

function report(file, text, expression, maxLines) {
  const lines = text === undefined ? [] : matchLines(text, expression, maxLines);
  parentPort.postMessage({ kind: 'searched', file, lines });
}

function readText(root, realRoot, file, maxBytes) {
  const path = join(root, file);
  if (realpathSync(path) !== join(realRoot, file) || statSync(path).size > maxBytes) {
    return undefined;
  }
  const bytes = readFileSync(path);
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
  return mark === undefined && bytes.includes(0) ? undefined : new TextDecoder(mark || 'utf-8').decode(bytes);
}

// A line's text once, however often it matches.
function matchLines(text, expression, maxLines) {
  const matched = [];
  let left = 200000;
  let start = 0;
  for (let line = 1; start <= text.length && matched.length < maxLines && left > 0; line += 1) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const own = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    const spans = [];
    for (const match of own.matchAll(expression)) {
      if (match[0] !== '' && left > 0) {
        spans.push(match.index, match.index + match[0].length);
        left -= 1;
      }
    }
    if (spans.length > 0) {
      matched.push({ line, text: own, spans });
    }
    start = end + 1;
  }
  return matched;
}

function toRegExp({ source, flags }) {
  return new RegExp(source, flags);
}
`;
