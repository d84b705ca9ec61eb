import { collectGarbage } from './collect-garbage.js';

it('collects what nobody holds anymore, and shows no collector to anybody else', async () => {
  let gone: () => void = () => undefined;
  const collected = new Promise<void>((resolve) => (gone = resolve));
  const registry = new FinalizationRegistry(() => gone());
  (() => registry.register({ large: new Array(1_000).fill(0) }, undefined))();
  collectGarbage();
  await collected;
  expect('gc' in globalThis).toBe(false);
});
