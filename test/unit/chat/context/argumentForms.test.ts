import assert from 'node:assert/strict';
import { expandTemplate, formOf, templateVariables, wishOf, type Fillable } from '../../../../src/chat/context/argumentForms.ts';

const prompt: Fillable = {
  kind: 'prompt',
  prompt: {
    serverId: 'id',
    server: 'demo',
    name: 'greet',
    title: undefined,
    description: 'Says hello.',
    arguments: [
      { name: 'who', description: 'A name', isRequired: true },
      { name: 'style', description: '', isRequired: false },
    ],
  },
};
const template: Fillable = {
  kind: 'template',
  template: {
    serverId: 'id',
    server: 'demo',
    name: 'note',
    title: undefined,
    description: '',
    uriTemplate: 'notes://{day}/{+path}{?page,size}',
  },
};

describe('The form of what a prompt or a template needs', () => {
  it('has a field for each argument, and for each variable of an address once', () => {
    assert.deepEqual(formOf('1', prompt).fields, [
      { name: 'who', description: 'A name', isRequired: true },
      { name: 'style', description: '', isRequired: false },
    ]);
    assert.deepEqual(templateVariables('a://{x}{/x,y*}{?z:3}'), ['x', 'y', 'z']);
  });

  it('becomes a wish without what was left empty, and refuses what is needed and missing', () => {
    const wish = wishOf(prompt, { who: 'Ada', style: '', other: 'x' });
    assert.deepEqual(wish.kind === 'prompt' ? wish.arguments : wish, { who: 'Ada' });
    assert.throws(() => wishOf(prompt, { style: 'x' }), { code: 'chat.argumentMissing' });
  });

  it('writes values into an address so that none of them changes its shape', () => {
    const wish = wishOf(template, { day: 'a/b?c', path: 'x/y', page: '1&2', size: '3' });
    assert.equal(wish.kind === 'resource' ? wish.uri : '', 'notes://a%2Fb%3Fc/x/y?page=1%262&size=3');
    assert.equal(expandTemplate('a://{x}', { x: "it's" }), 'a://it%27s');
    assert.equal(expandTemplate('a://{missing}b', {}), 'a://b');
  });
});
