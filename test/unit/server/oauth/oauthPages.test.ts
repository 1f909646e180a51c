import assert from 'node:assert/strict';
import { sayBy, sayInEnglish } from '../../../../src/base/errors.ts';
import { oauthPageTable } from '../../../../src/server/oauth/oauthPages.ts';
import { readTexts, translationPath } from '../../../support/l10n/translations.ts';
import { FakeApproval } from '../support/fakePorts.ts';
import { runServer, type RunningServer } from '../support/runningServer.ts';
import { OauthClient, pairingCodeOf } from './oauthClient.ts';

describe('The sign-in pages in another language', () => {
  const german = readTexts(translationPath('de'));
  let running: RunningServer;
  let client: OauthClient;

  before(async () => {
    const say = sayBy((english, args) => sayInEnglish(german[english] ?? english, args));
    const limits = { oauthPerSecond: 1_000 };
    running = await runServer({ approval: new FakeApproval(), limits, pageLanguage: { language: 'de', say } });
    client = new OauthClient(running.port);
  });
  after(async () => {
    client.close();
    await running.close();
  });

  it('show the program, the code and where it goes on, in the sentences of the language', async () => {
    await client.register({ client_name: 'Tom & <b>{place}</b>' });
    const page = await client.send('GET', client.authorizePath(client.newVerifier()));
    assert.match(page.text, /<html lang="de">/);
    assert.match(page.text, /<h1>Weiter in VS Code<\/h1>/);
    assert.ok(page.text.includes('Ein Programm, das sich <strong>Tom &#38; &#60;b&#62;{place}&#60;/b&#62;</strong> nennt, möchte sich'));
    assert.ok(page.text.includes(german[oauthPageTable.compare] ?? 'no text'));
    assert.match(page.text, /von selbst zu <strong>http:\/\/127\.0\.0\.1:7777<\/strong> weiter\./);
    assert.match(page.text, /Falls nicht, <a href="[^"]+">fahren Sie hier fort<\/a>\./);
    assert.match(pairingCodeOf(page) ?? '', /\S{4,}/);
  });

  it('say why a link cannot be used', async () => {
    const page = await client.send('GET', client.authorizePath(client.newVerifier(), { client_id: 'nobody' }));
    assert.equal(page.status, 400);
    assert.ok(page.text.includes(german[oauthPageTable.unknownClient] ?? 'no text'));
  });
});
