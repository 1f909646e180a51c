// shared/: what all pages need: translation (this file), the link to the host, how a page starts and draws, small elements, formats, and
// how text and links of strangers are shown.
type Bundle = Readonly<Record<string, string>>;

let bundle: Bundle = {};
let language = 'en';

/** Takes over the translations (English → other) that the host put into the page as JSON, and the language they are in; without them English is shown. */
export function loadBundle(json: string | null | undefined, tag = 'en'): void {
  bundle = readBundle(json ?? '');
  language = isLanguage(tag) ? tag : 'en';
}

/** The language of the window, for numbers and dates. */
export function pageLanguage(): string {
  return language;
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Translates a sentence; `{0}`, `{1}`… stand for the arguments, as in `vscode.l10n.t`. */
export function t(english: string, ...args: readonly (string | number)[]): string {
  const template = Object.hasOwn(bundle, english) ? (bundle[english] ?? english) : english;
  return template.replace(/\{(\d+)\}/g, (whole, index: string) => {
    const value = args[Number(index)];
    return value === undefined ? whole : String(value);
  });
}

function readBundle(json: string): Bundle {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== 'object' || parsed === null) {
      return {};
    }
    return Object.fromEntries(Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}
