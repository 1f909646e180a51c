import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser/lib/esm/main.js';
import { isJsonObject } from '../../base/json.ts';
import { isLoopbackHost } from '../../base/addresses.ts';
import { withEnvironmentNames } from '../../definitions/foreign/foreignFiles.ts';
import { readInputs } from '../../definitions/inputs.ts';
import { type DefinitionText, inputsIn, textsOf, unknownVariablesIn } from '../../definitions/variables.ts';
import { type DocumentKind, inputsPath, isOwnSetting, rangeOf, stringOf } from '../documents.ts';
import type { DocumentProblem, ProblemSeverity, ProblemWords } from '../problem.ts';

const variable = /\$\{[^}]*\}/g;

/**
 * Checks that the URL of a remote server is complete, has a scheme that fits the type, and is encrypted unless it stays on
 * this machine.
 */
export function checkAddress(definition: Node): readonly DocumentProblem[] {
  const address = stringOf(definition, 'url');
  // An empty text is reported with the shape; an address that begins with a variable can be anything.
  if (address === undefined || address.text === '' || address.text.startsWith('${')) {
    return [];
  }
  const place = rangeOf(address.node);
  // A digit replaces each variable, because it is valid in every part of a URL.
  const url = parseUrl(address.text.replace(variable, '1'));
  if (url === undefined) {
    return [{ ...place, severity: 'error', code: 'badUrl', args: { url: address.text } }];
  }
  const { secure, plain } = schemesOf(stringOf(definition, 'type')?.text);
  if (url.protocol !== secure && url.protocol !== plain) {
    const args = { scheme: url.protocol, secure: `${secure}//`, plain: `${plain}//` };
    return [{ ...place, severity: 'error', code: 'wrongScheme', args }];
  }
  if (url.hostname === '') {
    return [{ ...place, severity: 'error', code: 'badUrl', args: { url: address.text } }];
  }
  const isPlain = url.protocol === 'http:' || url.protocol === 'ws:';
  if (isPlain && !hasVariableHost(address.text) && !isLoopbackHost(url.hostname)) {
    const args = { host: url.hostname, secure: url.protocol === 'http:' ? 'https' : 'wss' };
    return [{ ...place, severity: 'warning', code: 'plainHttp', args }];
  }
  return [];
}

function parseUrl(text: string): URL | undefined {
  // The parser would trim spaces around the URL, but a header or a log would keep them.
  return text.trim() === text && URL.canParse(text) ? new URL(text) : undefined;
}

function schemesOf(type: string | undefined): { readonly secure: string; readonly plain: string } {
  return type === 'ws' ? { secure: 'wss:', plain: 'ws:' } : { secure: 'https:', plain: 'http:' };
}

function hasVariableHost(text: string): boolean {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?((?:\$\{[^}]*\}|[^/?#:])*)/i.exec(text)?.[1] ?? '';
  return host.includes('${');
}

const known = '${workspaceFolder}, ${workspaceFolder:NAME}, ${userHome}, ${env:NAME}, ${input:ID}';

/** The ids that definitions in the document can refer to: the usable inputs of the same document. */
export function knownInputs(root: Node, kind: DocumentKind): ReadonlySet<string> {
  const path = inputsPath[kind];
  const node = path === undefined ? undefined : findNodeAtLocation(root, [...path]);
  const inputs: unknown = node === undefined ? undefined : getNodeValue(node);
  const isNotReportedHere = (): void => undefined;
  return new Set(readInputs({ scope: 'user', inputs }, isNotReportedHere).keys());
}

export interface VariableScope {
  readonly kind: DocumentKind;
  readonly inputs: ReadonlySet<string>;
  /** The text of the document. */
  readonly source: string;
}

/** Finds variables that cannot be expanded and inputs that are not defined. Each of them keeps the server from starting. */
export function checkVariables(definition: Node, scope: VariableScope): readonly DocumentProblem[] {
  const raw: unknown = getNodeValue(definition);
  const severity: ProblemSeverity = isOwnSetting(scope.kind) ? 'error' : 'warning';
  return textsOf(isJsonObject(raw) ? raw : {}).flatMap((each) => {
    const found = wordsOf(each, scope);
    const node = found.length === 0 ? undefined : findNodeAtLocation(definition, [...each.path]);
    const places = node && placesIn(node, scope.source);
    return places === undefined ? [] : found.map(({ expression, ...words }) => ({ ...places(expression), severity, ...words }));
  });
}

function wordsOf(each: DefinitionText, { kind, inputs }: VariableScope): readonly (ProblemWords & { readonly expression: string })[] {
  // In `.mcp.json` a plain name is a variable of the environment.
  const text = kind === 'mcpJson' ? String(withEnvironmentNames(each.text)) : each.text;
  const unknown = [...new Set(unknownVariablesIn(text))].map((expression) => {
    return { expression, code: 'unknownVariable' as const, args: { variable: `\${${expression}}`, known } };
  });
  const used = [...new Set(inputsIn(text))].map((input) => ({ input, expression: `input:${input}` }));
  if (!each.mayHaveInput) {
    const args = { key: each.path.join('.') };
    return [...unknown, ...used.map(({ expression }) => ({ expression, code: 'inputNotHere' as const, args }))];
  }
  const missing = used.filter(({ input }) => !inputs.has(input));
  return [...unknown, ...missing.map(({ input, expression }) => ({ expression, code: 'unknownInput' as const, args: { input } }))];
}

/** The range of a variable in the document; the whole text when the variable is written with escapes. */
function placesIn({ offset, length }: Node, source: string): (expression: string) => { readonly start: number; readonly end: number } {
  const written = new Map(
    [...source.slice(offset, offset + length).matchAll(/\$\{([^}]*)\}/g)].map(({ 1: expression, index }) => [expression, index]),
  );
  return (expression) => {
    const at = written.get(expression);
    const start = offset + (at ?? 0);
    return { start, end: at === undefined ? offset + length : start + expression.length + '${}'.length };
  };
}
