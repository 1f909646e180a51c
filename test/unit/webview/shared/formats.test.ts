import assert from 'node:assert/strict';
import { formatTokens } from '../../../../src/webview/chat/contextTexts.ts';
import {
  formatBytes,
  formatDate,
  formatDollars,
  formatElapsed,
  formatFixed,
  formatNumber,
  plural,
} from '../../../../src/webview/shared/formats.ts';
import { loadBundle, t } from '../../../../src/webview/shared/localize.ts';

describe('Numbers and dates on a page', () => {
  afterEach(() => loadBundle(undefined));
  const all = (): readonly string[] => [
    formatNumber(1_234_567),
    formatFixed(0.5, 2),
    formatDollars(0.0123, 4),
    formatElapsed(1_500),
    formatBytes(1_500),
    formatTokens(1_200),
    plural(
      1_000,
      () => t('1 tool'),
      (many) => t('{0} tools', many),
    ),
    formatDate(Date.UTC(2020, 2, 31, 12), Date.UTC(2026, 0, 1)),
  ];

  it('are written as the language of the window writes them', () => {
    loadBundle('{}', 'en');
    assert.deepEqual(all(), ['1,234,567', '0.50', '$0.0123', '1.5 s', '1.5 KB', '1.2k', '1,000 tools', 'Mar 31, 2020']);
    loadBundle('{"{0} tools": "{0} Tools"}', 'de');
    assert.deepEqual(all(), ['1.234.567', '0,50', '0,0123\u00A0$', '1,5 s', '1,5 KB', '1,2k', '1.000 Tools', '31. März 2020']);
  });

  it('are English ones where the window has no language that is known', () => {
    loadBundle('{}', '" onload="');
    assert.equal(formatNumber(1_234.5), '1,234.5');
    loadBundle('{}', '');
    assert.equal(formatNumber(1_234.5), '1,234.5');
  });
});
