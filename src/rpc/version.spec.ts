import type { ProtocolVersion } from './a2a-handler.decorator.js';
import { checkVersion } from './version.js';

const check = (spoken: ProtocolVersion, header?: string, parameter?: unknown) =>
  checkVersion(spoken, { header, parameter });

describe('the version at the 1.0 endpoint', () => {
  it.each(['1.0', '1.0.0', '1.0.17', ' 1.0 '])('[W2] accepts %j in the header', (version) => {
    expect(check('1.0', version)).toBeUndefined();
  });

  it('[W2] accepts it in the query parameter when there is no header, and lets the header win', () => {
    expect(check('1.0', undefined, '1.0')).toBeUndefined();
    expect(check('1.0', '9.9', '1.0')).toMatchObject({ code: -32009 });
  });

  it.each([undefined, '', '  '])('[W2] [B28] takes %j as 0.3', (version) => {
    expect(check('1.0', version)).toMatchObject({ code: -32009, reason: 'VERSION_NOT_SUPPORTED' });
  });

  it.each(['0.3', '1', '1.1', '1.0.', '1.0.x', '1.0, 1.0', '9.9', '1.0-beta'])(
    '[W2] refuses %j and names 1.0',
    (version) => {
      expect(check('1.0', version)?.metadata).toEqual({ supportedVersions: '1.0' });
    },
  );
});

describe('the version at the 0.3 endpoint', () => {
  it.each([undefined, '', ' ', '0.3', '0.3.0', '0.3.7'])('[P7] [B28] accepts %j', (version) => {
    expect(check('0.3', version)).toBeUndefined();
  });

  it.each(['1.0', '0.2', '0.3.', '0.30', '9.9'])('[P7] refuses %j and names 0.3', (version) => {
    expect(check('0.3', version)).toMatchObject({ code: -32009, metadata: { supportedVersions: '0.3' } });
  });
});
