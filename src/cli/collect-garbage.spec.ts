import { runInNewContext } from 'node:vm';
import { collectGarbage } from './collect-garbage.js';

it('collects what nobody holds anymore, and shows no collector to anybody else', async () => {
  let gone: () => void = () => undefined;
  const collected = new Promise<void>((resolve) => (gone = resolve));
  const registry = new FinalizationRegistry(() => gone());
  (() => registry.register({ large: new Array(1_000).fill(0) }, undefined))();
  collectGarbage();
  await collected;
  // Not of this context: the runner may have been given the collector before.
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
