import { TeamFiles, startTeamApp } from '../test/support/team-app.js';
import { HelloApiModule } from './index.js';

const forRoot = HelloApiModule.forRoot as (options?: unknown) => unknown;
const forRootAsync = HelloApiModule.forRootAsync as (options?: unknown) => unknown;

describe('the options of HelloApiModule', () => {
  const files = new TeamFiles();
  afterAll(() => files.remove());
  const settings = files.settings;
  const path = 'path: must be text, segments of letters, digits, -, ., _ and ~ with / between them';

  it.each<[string, unknown, string]>([
    ['none', undefined, 'needs an object with path, operations, imports, ports, settings'],
    ['no settings', {}, 'settings: must be an object with settings, by the names of .env.example'],
    ['a list of settings', { settings: [] }, 'settings: must be an object'],
    ['a path that is a number', { settings, path: 123 }, path],
    ['a path that is null', { settings, path: null }, path],
    ['a path with a query', { settings, path: 'a?b' }, path],
    ['a path with a blank', { settings, path: 'a b' }, path],
    ['a path with an umlaut', { settings, path: 'ä' }, path],
    ['a path that leads up', { settings, path: '../x' }, path],
    ['a list with nothing in it', { settings, ports: [undefined] }, 'ports[0]: must be a provider'],
    ['ports that are no list', { settings, ports: {} }, 'ports: must be a list of providers'],
    ['imports that are no list', { settings, imports: {} }, 'imports: must be a list'],
    ['operations that are text', { settings, operations: 'no' }, 'operations: must be true or false'],
    ['a typing error', { settings, port: [] }, 'port: is no option; the options are path, operations'],
  ])('[O1] are refused with their name: %s', (_, options, message) => {
    const error = thrownBy(() => forRoot(options));
    expect(error).toContain(message);
    expect(error).not.toContain('\n');
  });

  it.each<[string, unknown, string]>([
    ['none', undefined, 'HelloApiModule.forRootAsync: needs an object with'],
    [
      'no factory',
      {},
      'HelloApiModule.forRootAsync: useFactory: must be a function that returns the settings',
    ],
    ['a factory that is none', { useFactory: settings }, 'useFactory: must be a function'],
    ['settings', { useFactory: () => settings, settings }, 'settings: is no option'],
    ['what to inject, as no list', { useFactory: () => settings, inject: 'X' }, 'inject: must be a list'],
  ])('[O1] are refused with their name, with a factory: %s', (_, options, message) => {
    expect(thrownBy(() => forRootAsync(options))).toContain(message);
  });

  it('[O1] stop the start when the factory gives no settings', async () => {
    const module = HelloApiModule.forRootAsync({ useFactory: () => undefined as never });
    await expect(startTeamApp([module])).rejects.toThrow(
      'HelloApiModule.forRootAsync: what useFactory returned: must be an object with settings',
    );
  });

  it.each(['', '/', 'assistants', '/v1/assistants/', 'a-b_c.d~e'])('take the path %j', (good) => {
    expect(() => forRoot({ settings, path: good, ports: [], imports: [], operations: true })).not.toThrow();
  });
});

function thrownBy(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}
