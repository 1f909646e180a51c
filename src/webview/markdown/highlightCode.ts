import type { Emitter } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { maxHighlightedLength } from './slices.ts';

/** A piece of code: text, or a named scope around pieces. It is drawn as text nodes and spans, so there is no HTML to sanitise. */
export type CodePiece = string | CodeScope;
interface CodeScope {
  readonly scope: string;
  readonly pieces: readonly CodePiece[];
}
interface OpenScope extends CodeScope {
  readonly pieces: CodePiece[];
}

/** The longest line that is highlighted. Some grammars take the square of a line's length, and nobody reads such a line. */
const maxLineLength = 1_000;
const languages = { bash, cpp, csharp, css, diff, go, ini, java, javascript, json, markdown, python, rust, sql, typescript, xml, yaml };

/** Collects a tree instead of an HTML string; highlight.js allows such an emitter in place of its own. */
class PieceEmitter implements Emitter {
  readonly root: OpenScope = { scope: '', pieces: [] };
  readonly #open: OpenScope[] = [this.root];

  addText(text: string): void {
    const { pieces } = this.#top();
    const last = pieces.at(-1);
    if (typeof last === 'string') {
      pieces[pieces.length - 1] = last + text;
    } else if (text !== '') {
      pieces.push(text);
    }
  }

  startScope(name: string): void {
    const scope: OpenScope = { scope: name, pieces: [] };
    this.#top().pieces.push(scope);
    this.#open.push(scope);
  }

  endScope(): void {
    if (this.#open.length > 1) {
      this.#open.pop();
    }
  }

  // highlight.js 11 calls scopes of single modes by these older names.
  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: Emitter): void {
    if (emitter instanceof PieceEmitter) {
      this.#top().pieces.push(...emitter.root.pieces);
    }
  }

  finalize(): void {
    this.#open.length = 1;
  }

  toHTML(): string {
    return '';
  }

  #top(): OpenScope {
    return this.#open.at(-1) ?? this.root;
  }
}

const highlighter = hljs.newInstance();
highlighter.configure({ __emitter: PieceEmitter });
for (const [name, grammar] of Object.entries(languages)) {
  highlighter.registerLanguage(name, grammar);
}
highlighter.registerAliases(['shellscript', 'console'], { languageName: 'bash' });
// The C++ grammar serves C too: C's own would only lack what C does not have.
highlighter.registerAliases(['c', 'h'], { languageName: 'cpp' });
highlighter.registerAliases(['jsonl', 'json5'], { languageName: 'json' });

/** Highlights code. What cannot be highlighted stays plain text: an unknown language, very long code, and very long lines. */
export function highlightCode(code: string, language: string): readonly CodePiece[] {
  if (code.length > maxHighlightedLength || highlighter.getLanguage(language) === undefined) {
    return [code];
  }
  return apartFromLongLines(code).flatMap(({ text, isLong }) => (isLong ? [text] : highlight(text, language)));
}

function highlight(code: string, language: string): readonly CodePiece[] {
  try {
    const { _emitter } = highlighter.highlight(code, { language, ignoreIllegals: true });
    return _emitter instanceof PieceEmitter ? _emitter.root.pieces : [code];
  } catch {
    return [code];
  }
}

interface Lines {
  readonly text: string;
  readonly isLong: boolean;
}

/** Very long lines, and the lines between them together. */
function apartFromLongLines(code: string): readonly Lines[] {
  const all: Lines[] = [];
  let between = '';
  for (const line of code.split(/(?<=\n)/)) {
    if (line.length > maxLineLength) {
      all.push({ text: between, isLong: false }, { text: line, isLong: true });
      between = '';
    } else {
      between += line;
    }
  }
  return [...all, { text: between, isLong: false }].filter(({ text }) => text !== '');
}
