/** A provider or controller as Nest's discovery gives it, without its types. */
export interface FoundProvider {
  readonly name: unknown;
  readonly metatype: unknown;
  readonly instance: unknown;
  readonly isAlias?: boolean;
  readonly inject?: unknown;
}

/**
 * Decorators are read from the classes that providers name. An object of such a class that came another way — by a factory, as
 * a value, or as a controller — would never be called, and nobody would hear why.
 * @param reached those whose decorators are read
 * @param others where such an object may hide
 * @param isMarked whether a class bears the decorator
 * @returns the rest of a sentence that begins with the decorator: the class, and what to do
 */
export function unreachableProvider(
  reached: readonly FoundProvider[],
  others: readonly FoundProvider[],
  isMarked: (type: Constructor) => boolean,
): string | undefined {
  const known = new Set(reached.filter((each) => classOf(each, isMarked)).map(({ instance }) => instance));
  for (const { instance, isAlias } of others) {
    if (typeof instance !== 'object' || instance === null || isAlias || known.has(instance)) continue;
    const type = (Object.getPrototypeOf(instance) as { constructor?: unknown } | null)?.constructor;
    if (typeof type === 'function' && isMarked(type as Constructor)) {
      return `${type.name}: is made by a factory, a value or a controller; it must be listed as a class in providers`;
    }
  }
  return undefined;
}

type Constructor = abstract new (...args: never[]) => object;

function classOf({ metatype, inject }: FoundProvider, isMarked: (type: Constructor) => boolean): boolean {
  return typeof metatype === 'function' && !inject && isMarked(metatype as Constructor);
}
