import { UuidGenerator } from './ids.js';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('UuidGenerator', () => {
  afterEach(() => jest.restoreAllMocks());

  it('makes UUIDv7 that are all different and sort in the order in which they were made', () => {
    const generator = new UuidGenerator();
    const ids = Array.from({ length: 2_000 }, () => generator.next());
    expect(ids.filter((id) => !FORM.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it('keeps the order while the clock goes back', () => {
    const generator = new UuidGenerator();
    const clock = jest.spyOn(Date, 'now');
    const ids = [2_000, 1_000, 1_500, 2_001].map((now) => {
      clock.mockReturnValue(now);
      return generator.next();
    });
    expect([...ids].sort()).toEqual(ids);
  });

  it('makes ends that have nothing in common, from one fetch of random bytes or two', () => {
    const generators = [new UuidGenerator(), new UuidGenerator()];
    const ends = generators.flatMap((generator) =>
      Array.from({ length: 600 }, () => generator.next().slice(-10)),
    );
    expect(new Set(ends).size).toBe(ends.length);
  });
});
