import type { VscodeChoice } from '../../support/vscode/versions.mjs';

export interface LaunchOptions {
  /** The oldest supported VS Code or the newest one known; the floor unless said otherwise. */
  readonly version?: VscodeChoice;
  /** A folder of test/fixtures/workspaces or an absolute path; it is copied. `none` opens an empty window. */
  readonly workspace?: string;
  /** User settings on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The person's own, as in keybindings.json. */
  readonly keybindings?: readonly Readonly<Record<string, unknown>>[];
  /**
   * `trusted` turns the feature off, so that every folder counts as trusted; `restricted` opens in Restricted Mode, and
   * `grantTrust` leads out of it.
   */
  readonly trust?: 'trusted' | 'restricted';
  readonly theme?: 'light' | 'dark' | 'highContrast' | 'highContrastLight';
  /** The language of the window; VS Code's own words stay English. */
  readonly language?: 'de';
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Reaches the server, the extension host and what they start. */
  readonly env?: Readonly<Record<string, string>>;
  /** VS Code's own extensions: the few that most tests need, unless said otherwise. */
  readonly builtIns?: 'few' | 'all';
  /** The packaged extensions to install; the one that `npm run package` made unless said otherwise. */
  readonly extensions?: readonly string[];
}

const themeNames = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

/** The settings that an option stands for. */
export function settingsFor(options: LaunchOptions): Record<string, unknown> {
  const trust =
    options.trust === 'restricted'
      ? { 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' }
      : { 'security.workspace.trust.enabled': false };
  return {
    ...trust,
    'workbench.colorTheme': themeNames[options.theme ?? 'light'],
    'window.autoDetectColorScheme': false,
    ...options.settings,
  };
}
