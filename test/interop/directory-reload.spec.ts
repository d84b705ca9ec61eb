import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from '../support/processes.js';

describe('the built service and a real SIGHUP', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await Deployment.create();
    await deployment.startApi();
  });
  afterAll(() => deployment.close());

  const cardStatus = async () =>
    (await fetch(`${deployment.endpoint('echo')}/.well-known/agent-card.json`)).status;

  it('keeps its directory over a bad file, takes over a good one, and lives on', async () => {
    const { api } = deployment;
    if (api?.pid === undefined) throw new Error('The service does not run');
    const file = join(deployment.dir, 'directory.yaml');
    expect(await cardStatus()).toBe(200);

    let from = api.output.length;
    writeFileSync(file, 'accounts: [{ id: 7 }]');
    process.kill(api.pid, 'SIGHUP');
    await api.printed(/accounts\[0\]\.id: must be text/, from);
    expect(await cardStatus()).toBe(200);

    from = api.output.length;
    writeFileSync(file, 'accounts: []');
    process.kill(api.pid, 'SIGHUP');
    await api.printed(/Directory read: 0 accounts/, from);
    expect(await cardStatus()).toBe(404);
    expect(await api.stop()).toBe(0);
  });
});
