// withheld/: the same ports again, for one client: paths it may not see are not there, and secrets are redacted.
import type { ClientGrants, GrantsPort } from '../clientGrants.ts';
import { noGrants } from '../clientGrants.ts';
import type { EditorPort } from '../ports/editorPort.ts';
import { RealPaths } from '../../../platform/realPath.ts';
import { createVisibility, type Visibility } from './visibility.ts';
import { withholding } from './withholding.ts';
import type { Viewer } from '../viewer.ts';

/** What the person's policy hides from a client: the same function as long as it hides the same, `undefined` for nothing. */
export type HiddenFrom = (viewer: Viewer) => ((clientPath: string) => boolean) | undefined;

const nothing = (): undefined => undefined;
const nothingDenied = (): boolean => false;

/** The editor as each client may see it. Clients with the same grants and denials see the same. */
export class EditorViews {
  readonly #editor: EditorPort;
  readonly #neverShown: readonly string[];
  readonly #grants: GrantsPort | undefined;
  readonly #hiddenFrom: HiddenFrom;
  /** By what is denied: with the rules the views go. */
  readonly #views = new WeakMap<(clientPath: string) => boolean, Map<string, EditorPort>>();
  readonly #realPaths = new RealPaths();

  constructor(editor: EditorPort, neverShown: readonly string[], grants: GrantsPort | undefined, hiddenFrom: HiddenFrom = nothing) {
    this.#editor = editor;
    this.#neverShown = neverShown;
    this.#grants = grants;
    this.#hiddenFrom = hiddenFrom;
  }

  for(viewer: Viewer): EditorPort {
    return this.#with(this.#grants?.of(viewer) ?? noGrants, this.#hiddenFrom(viewer) ?? nothingDenied);
  }

  /**
   * For what a client does: between the look and the deed a person may take their time, so that every use is judged anew, by
   * what the client may see then and by where links lead then.
   */
  toActFor(viewer: Viewer): EditorPort {
    const now = (): Visibility =>
      this.#visibility(this.#grants?.of(viewer) ?? noGrants, this.#hiddenFrom(viewer) ?? nothingDenied, new RealPaths());
    return withholding(this.#editor, {
      isShown: (path) => now().isShown(path),
      redact: (text) => now().redact(text),
      redactPart: (text, part) => now().redactPart(text, part),
      hide: (text) => now().hide(text),
    });
  }

  #visibility(grants: ClientGrants, isDenied: (clientPath: string) => boolean, realPaths: RealPaths): Visibility {
    const folders = (): ReturnType<EditorPort['listWorkspaceFolders']> => this.#editor.listWorkspaceFolders();
    return createVisibility({ folders, neverShown: this.#neverShown, grants, isDenied, realPaths });
  }

  #with(grants: ClientGrants, isDenied: (clientPath: string) => boolean): EditorPort {
    const key = `${grants.sensitive} ${grants.outside}`;
    const views = this.#views.get(isDenied) ?? new Map<string, EditorPort>();
    this.#views.set(isDenied, views);
    const known = views.get(key);
    if (known !== undefined) {
      return known;
    }
    const view = withholding(this.#editor, this.#visibility(grants, isDenied, this.#realPaths));
    views.set(key, view);
    return view;
  }
}
