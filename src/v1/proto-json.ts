/**
 * Reading ProtoJSON into parameter classes (requirement W6; protobuf's JSON mapping). Property decorators record
 * what a field is, `readProtoJson` fills an instance: camelCase and snake_case names, `null` as absent, enum
 * numbers as names, integers from decimal strings, unknown fields ignored. A value of the wrong kind is passed on
 * as it is, for class-validator to name.
 */
type Convert = (value: unknown) => unknown;

const fieldsByClass = new Map<object, Map<string, Convert>>();

/** A field that is taken as it is: text, boolean, an opaque `Struct`, a list of texts. */
export function ProtoValue(): PropertyDecorator {
  return record((value) => value);
}

/** A text for which protobuf's default, the empty text, means "not set". */
export function ProtoOptionalText(): PropertyDecorator {
  return record((value) => (value === '' ? undefined : value));
}

/** An `int32`: a number, or the same in decimal digits. */
export function ProtoInt(): PropertyDecorator {
  return record((value) => (typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value));
}

/** An enum: its name, or its number, which becomes the name. */
export function ProtoEnum(namesByNumber: readonly string[]): PropertyDecorator {
  return record((value) => (typeof value === 'number' ? (namesByNumber[value] ?? value) : value));
}

/** A nested message. */
export function ProtoMessage<T extends object>(type: () => new () => T): PropertyDecorator {
  return record((value) => (isObject(value) ? readProtoJson(type(), value) : value));
}

/** A list of nested messages. */
export function ProtoMessages<T extends object>(type: () => new () => T): PropertyDecorator {
  const one: Convert = (value) => (isObject(value) ? readProtoJson(type(), value) : value);
  return record((value) => (Array.isArray(value) ? value.map(one) : value));
}

/** Makes an instance of a parameter class from what was sent; fields that are not set are left out. */
export function readProtoJson<T extends object>(type: new () => T, source: Record<string, unknown>): T {
  const instance = new type();
  for (const [name, convert] of fieldsByClass.get(type.prototype as object) ?? []) {
    const sent = ownValue(source, name) ?? ownValue(source, snakeCase(name));
    const value = sent === undefined ? undefined : convert(sent);
    if (value !== undefined) (instance as Record<string, unknown>)[name] = value;
  }
  return instance;
}

function record(convert: Convert): PropertyDecorator {
  return (prototype, property) => {
    const inherited = fieldsByClass.get(Object.getPrototypeOf(prototype) as object);
    const fields = fieldsByClass.get(prototype) ?? new Map(inherited);
    fields.set(String(property), convert);
    fieldsByClass.set(prototype, fields);
  };
}

/** Own members only, so that no name finds something inherited; `null` is absent. */
function ownValue(source: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(source, name) ? (source[name] ?? undefined) : undefined;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
