import { openStoreFile, storeFolder } from '../../test/support/store-file.js';

describe('the schema', () => {
  const folder = storeFolder();
  let file: Awaited<ReturnType<typeof openStoreFile>>;
  beforeAll(async () => {
    file = await openStoreFile(folder.path);
  });
  afterAll(async () => {
    await file.close();
    folder.remove();
  });

  it('[K1] is the same in the migrations and in the entities', async () => {
    const difference = await file.writer.driver.createSchemaBuilder().log();
    expect(difference.upQueries.map((query) => query.query)).toEqual([]);
  });
});
