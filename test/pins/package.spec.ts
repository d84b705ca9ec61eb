import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string) => JSON.parse(readFileSync(join(__dirname, '..', '..', name), 'utf8'));

describe('package.json', () => {
  const manifest = read('package.json');

  it('asks the application for what must be there once: a second copy knows nothing of the first one’s decorators', () => {
    expect(Object.keys(manifest.peerDependencies)).toEqual([
      '@nestjs/common',
      '@nestjs/core',
      '@nestjs/platform-express',
      '@nestjs/typeorm',
      'class-validator',
      'reflect-metadata',
      'rxjs',
      'typeorm',
    ]);
    // What is a dependency besides would be installed twice; what is one of development would be missing with `--omit=dev`.
    const others = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(others.filter((name) => name in manifest.peerDependencies)).toEqual([]);
  });

  it('is what the lock file was made from, so that `npm ci` takes it', () => {
    const { packages } = read('package-lock.json');
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies']) {
      expect(packages[''][kind]).toEqual(manifest[kind]);
    }
    const peers = Object.keys(manifest.peerDependencies).map((name) => packages[`node_modules/${name}`]);
    expect(peers.filter((peer) => peer.dev || peer.optional)).toEqual([]);
  });

  it('has four entry points, and itself', () => {
    expect(Object.keys(manifest.exports)).toEqual([
      '.',
      './relay-protocol',
      './daemon',
      './testing',
      './package.json',
    ]);
  });
});
