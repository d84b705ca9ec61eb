import { readPlainJson } from './plain-json.js';

const value = { accounts: [{ id: 'a "b" \\', n: 1.5, none: null, yes: true }], computers: [] };

describe('readPlainJson', () => {
  it.each([
    ['compact', JSON.stringify(value)],
    ['indented', `\n${JSON.stringify(value, undefined, 2)}\n`],
    ['with tabs and carriage returns', JSON.stringify(value, undefined, '\t').replaceAll('\n', '\r\n')],
  ])('reads JSON that is %s', (_, source) => {
    expect(readPlainJson(source)).toEqual(value);
  });

  it('keeps the key __proto__ as a member like others, which the schema refuses', () => {
    expect(Object.keys(readPlainJson('{"__proto__":{"accounts":[]}}') as object)).toEqual(['__proto__']);
  });

  it.each([
    ['YAML', 'accounts: []'],
    ['YAML that begins like JSON', '{accounts: []}'],
    ['a list', '[]'],
    ['nothing', ''],
    ['JSON with more behind it', '{"accounts":[]} x'],
    ['a key that is there twice', '{"accounts":[],"accounts":[]}'],
    ['a key that is there twice further in', '{"accounts":[{"id":"a", "id":"b"}]}'],
    ['a key that is there twice with the same value', '{"a":1,"a":1}'],
    ['keys in another order than they are kept', '{"a":1,"1":2}'],
    ['a number in another spelling', '{"a":1e2}'],
    ['a character in another spelling', '{"a":"\\u0061"}'],
    ['a blank that is an escape', '{"a":"\\t", "a":"\\t"}'],
  ])('leaves %s to the YAML parser', (_, source) => {
    expect(readPlainJson(source)).toBeUndefined();
  });
});
