import { writeFileSync } from 'node:fs';
import { DirectoryReloader } from '../../../src/directory/import/directory-reloader.js';
import { openDirectory, sample } from './directory-fixture.js';

describe('DirectoryReloader on SIGHUP', () => {
  let fixture: Awaited<ReturnType<typeof openDirectory>>;
  let reloader: DirectoryReloader;
  beforeEach(async () => {
    fixture = await openDirectory();
    reloader = new DirectoryReloader(fixture.config, fixture.directoryImport);
    writeFileSync(fixture.file, JSON.stringify(sample()));
    await reloader.onApplicationBootstrap();
  });
  afterEach(async () => {
    reloader.onModuleDestroy();
    await fixture.close();
  });

  /** What the real signal does; `test/interop` sends one to a process of its own. */
  const hangUp = () => process.emit('SIGHUP', 'SIGHUP');

  it('reads the file again', async () => {
    expect(await fixture.directory.findById('agent-helper')).toBeDefined();
    const reloaded = new Promise<void>((resolve) => fixture.events.onReloaded(resolve));
    writeFileSync(fixture.file, JSON.stringify({ accounts: [] }));
    hangUp();
    await reloaded;
    expect(await fixture.directory.findById('agent-helper')).toBeUndefined();
  });

  it('changes nothing with a bad file, and the next good one counts', async () => {
    writeFileSync(fixture.file, '{}');
    hangUp();
    // Shares or follows the import that the signal has begun; both find the bad file.
    await expect(fixture.directoryImport.run()).rejects.toThrow('accounts: is missing');
    expect(await fixture.directory.findById('agent-helper')).toBeDefined();
    const reloaded = new Promise<void>((resolve) => fixture.events.onReloaded(resolve));
    writeFileSync(fixture.file, JSON.stringify({ accounts: [] }));
    hangUp();
    await reloaded;
    expect(await fixture.directory.findById('agent-helper')).toBeUndefined();
  });

  it('has no listener after the shutdown', () => {
    expect(process.listenerCount('SIGHUP')).toBe(1);
    reloader.onModuleDestroy();
    expect(process.listenerCount('SIGHUP')).toBe(0);
  });

  it('a bad file stops the start', async () => {
    writeFileSync(fixture.file, '{}');
    const second = new DirectoryReloader(fixture.config, fixture.directoryImport);
    await expect(second.onApplicationBootstrap()).rejects.toThrow('DIRECTORY_FILE cannot be used');
    expect(process.listenerCount('SIGHUP')).toBe(1);
  });
});
