import { checkVersion } from './version.js';

describe('checkVersion', () => {
  it.each(['1.0', '1.0.0', '1.0.17', ' 1.0 '])('[W2] accepts %j in the header', (version) => {
    expect(checkVersion(version, undefined)).toBeUndefined();
  });

  it('[W2] accepts it in the query parameter when there is no header, and lets the header win', () => {
    expect(checkVersion(undefined, '1.0')).toBeUndefined();
    expect(checkVersion('9.9', '1.0')).toMatchObject({ code: -32009 });
  });

  it.each([undefined, '', '  '])('[W2] [B28] takes %j as 0.3', (version) => {
    expect(checkVersion(version, undefined)).toMatchObject({ code: -32009, reason: 'VERSION_NOT_SUPPORTED' });
  });

  it.each(['0.3', '1', '1.1', '1.0.', '1.0.x', '1.0, 1.0', '9.9', '1.0-beta'])(
    '[W2] refuses %j and names 1.0',
    (version) => {
      expect(checkVersion(version, undefined)?.metadata).toEqual({ supportedVersions: '1.0' });
    },
  );
});
