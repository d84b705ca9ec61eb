/**
 * Reading what was sent into parameter classes. Property decorators of the wires record what a field is, `readParams` fills an
 * instance from members of that name alone, so that unknown ones are ignored. A value of the wrong kind is passed on as
 * it is, for class-validator to name.
 */
type Convert = (value: unknown) => unknown;

/** How a field is found in what was sent; `undefined` when it is not there. */
export type LookUp = (source: Record<string, unknown>, name: string) => unknown;

const fieldsByClass = new Map<object, Map<string, Convert>>();

/**
 * Records a field of a parameter class.
 * @param convert makes the field of what was sent, `null` included; `undefined` leaves the field out
 */
export function ParamField(convert: Convert): PropertyDecorator {
  return (prototype, property) => {
    const inherited = fieldsByClass.get(Object.getPrototypeOf(prototype) as object);
    const fields = fieldsByClass.get(prototype) ?? new Map(inherited);
    fields.set(String(property), convert);
    fieldsByClass.set(prototype, fields);
  };
}

/** Makes an instance of a parameter class from what was sent; fields that are not set are left out. */
export function readParams<T extends object>(
  type: new () => T,
  source: Record<string, unknown>,
  lookUp: LookUp = ownMember,
): T {
  const instance = new type();
  for (const [name, convert] of fieldsByClass.get(type.prototype as object) ?? []) {
    const sent = lookUp(source, name);
    const value = sent === undefined ? undefined : convert(sent);
    if (value !== undefined) (instance as Record<string, unknown>)[name] = value;
  }
  return instance;
}

/** Own members only, so that no name finds something inherited (requirement W8). */
export function ownMember(source: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(source, name) ? source[name] : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
