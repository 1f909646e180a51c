import type { Node } from 'jsonc-parser/lib/esm/main.js';
import { isLoopbackHost } from '../base/loopback.ts';
import type { Problem } from './problem.ts';
import { stringOf } from './jsonNodes.ts';

const variable = /\$\{[^}]*\}/g;

/** The URL of a remote server: complete, of a scheme that fits the type, and encrypted unless it stays on this machine. */
export function checkAddress(definition: Node): readonly Problem[] {
  const address = stringOf(definition, 'url');
  // An empty text is a matter of shape; an address that begins with a variable can be anything.
  if (address === undefined || address.text === '' || address.text.startsWith('${')) {
    return [];
  }
  const { offset: start, length } = address.node;
  const place = { start, end: start + length };
  // A digit stands for a variable: it is valid in every part of a URL.
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
  // Spaces around it would be trimmed by the parser, but a header or a log would carry them.
  return text.trim() === text && URL.canParse(text) ? new URL(text) : undefined;
}

function schemesOf(type: string | undefined): { readonly secure: string; readonly plain: string } {
  return type === 'ws' ? { secure: 'wss:', plain: 'ws:' } : { secure: 'https:', plain: 'http:' };
}

function hasVariableHost(text: string): boolean {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?((?:\$\{[^}]*\}|[^/?#:])*)/i.exec(text)?.[1] ?? '';
  return host.includes('${');
}
