// apps/: the pages that servers give to their tools (MCP Apps): what is declared (this file), which policy follows from it
// (appPolicy.ts), how a page is read and asked about (appOpening.ts), and the messages between an app and its host (appSession.ts).
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { appMimeType } from '../../contract/protocolNames.ts';
import { hostError } from '../shared/hostErrors.ts';

/** What a page declares about itself, as it wrote it. */
export interface AppDeclaration {
  readonly connect: readonly string[];
  readonly resources: readonly string[];
  /** What no app gets here: frames, base addresses, devices. */
  readonly other: readonly string[];
}

/** A page as its server gave it. */
export interface AppPage {
  readonly html: string;
  readonly declared: AppDeclaration;
  /** `_meta.ui` whole, for the fingerprint. */
  readonly meta: JsonObject;
}

/** The most characters that a page may have. Less than what the door lets through, so that a page that was cut there is not shown. */
export const maxPageLength = 3_000_000;

/** Reads the page out of the answer to `resources/read`. What the content says about itself comes before what the listing says. */
export function readAppPage(uri: string, contents: readonly JsonObject[], listed: unknown): AppPage {
  const content = contents.find((each) => each['uri'] === uri) ?? contents[0];
  if (content === undefined) {
    throw hostError('host.appMissing', { uri });
  }
  if (content['mimeType'] !== appMimeType) {
    throw hostError('host.appType', { expected: appMimeType });
  }
  const html = htmlOf(content);
  if (html === undefined || html === '') {
    throw hostError('host.appMissing', { uri });
  }
  if (html.length > maxPageLength) {
    throw hostError('host.appTooLarge', { megabytes: maxPageLength / 1_000_000 });
  }
  const meta = uiOf(content['_meta']) ?? uiOf(listed) ?? {};
  return { html, declared: declaredIn(meta), meta };
}

function htmlOf({ text, blob }: JsonObject): string | undefined {
  if (typeof text === 'string') {
    return text;
  }
  return typeof blob === 'string' && blob.length < 2 * maxPageLength ? Buffer.from(blob, 'base64').toString('utf8') : undefined;
}

function uiOf(meta: unknown): JsonObject | undefined {
  const ui = isJsonObject(meta) ? meta['ui'] : undefined;
  return isJsonObject(ui) ? ui : undefined;
}

function declaredIn({ csp, permissions }: JsonObject): AppDeclaration {
  const domains = isJsonObject(csp) ? csp : {};
  return {
    connect: textsIn(domains['connectDomains']),
    resources: textsIn(domains['resourceDomains']),
    other: [
      ...textsIn(domains['frameDomains']),
      ...textsIn(domains['baseUriDomains']),
      ...(isJsonObject(permissions) ? Object.keys(permissions).slice(0, maxDeclared) : []),
    ],
  };
}

/** The most domains of one kind, and the most permissions, that are read of an app's declaration. */
const maxDeclared = 50;
/** The most characters of one domain; the rest is cut. */
const maxDeclaredLength = 300;

function textsIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, maxDeclared) : [];
  return list.filter((each): each is string => typeof each === 'string').map((each) => each.slice(0, maxDeclaredLength));
}
