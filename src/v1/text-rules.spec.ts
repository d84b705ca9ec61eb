import { JsonRpcError } from '../a2a/index.js';
import { readProtoJson } from './proto-json.js';
import { SendMessageParams } from './params.dto.js';
import { refuseUnsupported, toMessage } from './text-rules.js';

const paramsOf = (message: object, more: object = {}) =>
  readProtoJson(SendMessageParams, {
    message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }], ...message },
    ...more,
  });
const codeOf = (action: () => unknown): number | undefined => {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof JsonRpcError) return error.code;
    throw error;
  }
};
const refusal = (message: object, more?: object) => codeOf(() => refuseUnsupported(paramsOf(message, more)));
const textRefusal = (...texts: string[]) =>
  codeOf(() => toMessage(paramsOf({ parts: texts.map((text) => ({ text })) }).message));

describe('what a message may not have', () => {
  it.each([
    { parts: [{ raw: 'AAAA' }] },
    { parts: [{ url: 'https://example.org' }] },
    { parts: [{ data: { a: 1 } }] },
    { parts: [{ data: false }] },
    { parts: [{ text: 'hi', mediaType: 'image/png' }] },
    { parts: [{ text: 'hi' }, { data: 1 }] },
  ])('[S4] [B22] refuses %j with -32005', (message) => {
    expect(refusal(message)).toBe(-32005);
  });

  it.each([['image/png'], ['text/html', 'application/json'], ['text']])(
    '[S4] [B22] refuses to answer in %s',
    (...modes) => {
      expect(refusal({}, { configuration: { acceptedOutputModes: modes } })).toBe(-32005);
    },
  );

  it.each([[[]], [['text/plain']], [['image/png', 'TEXT/PLAIN; charset=utf-8']], [['text/*']], [['*/*']]])(
    '[S4] answers in text/plain when %j allow it',
    (modes) => {
      expect(refusal({}, { configuration: { acceptedOutputModes: modes } })).toBeUndefined();
    },
  );

  it('[S4] takes text/plain in any spelling as the type of a text', () => {
    expect(refusal({ parts: [{ text: 'hi', mediaType: 'Text/Plain;charset=utf-8' }] })).toBeUndefined();
  });

  it('[S7] [B104] refuses tenants, references and extensions with -32004', () => {
    expect(refusal({}, { tenant: 't' })).toBe(-32004);
    expect(refusal({ referenceTaskIds: ['x'] })).toBe(-32004);
    expect(refusal({ referenceTaskIds: Array.from({ length: 1000 }, String) })).toBe(-32004);
    expect(refusal({ extensions: ['urn:x'] })).toBe(-32004);
    expect(refusal({ referenceTaskIds: [], extensions: [] }, { tenant: '' })).toBeUndefined();
  });

  it('[S7] [B125] refuses a filled push configuration with -32003 and ignores an empty one', () => {
    const config = (taskPushNotificationConfig: object) => ({
      configuration: { taskPushNotificationConfig },
    });
    expect(refusal({}, config({ url: 'https://example.org' }))).toBe(-32003);
    expect(refusal({}, config({}))).toBeUndefined();
    expect(refusal({}, config({ url: '', token: null }))).toBeUndefined();
  });
});

describe('how much text a message may have', () => {
  it('[S4] takes 8,000 code points and refuses 8,001, counting emoji once', () => {
    expect(textRefusal('x'.repeat(8000))).toBeUndefined();
    expect(textRefusal('x'.repeat(8001))).toBe(-32602);
    expect(textRefusal('😀'.repeat(8000))).toBeUndefined();
    expect(textRefusal('😀'.repeat(8001))).toBe(-32602);
    expect(textRefusal('x'.repeat(4000), 'y'.repeat(4000))).toBeUndefined();
    expect(textRefusal('x'.repeat(4000), 'y'.repeat(4001))).toBe(-32602);
  });

  it.each([['   '], ['\n'], [' ', '\t']])('[B23] refuses blank text %j', (...texts) => {
    expect(textRefusal(...texts)).toBe(-32602);
  });

  it('[B23] takes a blank part beside one with text', () => {
    expect(textRefusal(' ', 'hi')).toBeUndefined();
  });
});
