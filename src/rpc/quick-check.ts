import { ValidationTypes, getMetadataStorage } from 'class-validator';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Check = (owner: object, value: unknown) => boolean;

interface Property {
  name: string;
  /** Whether the rules hold at all, such as those of an optional field that is there. */
  conditions: Check[];
  rules: Check[];
}

const checkedClasses = new WeakMap<object, Property[] | undefined>();

/**
 * Whether the rules of a parameter object's class surely hold. The rules are those that its decorators recorded for
 * class-validator, prepared once for each class, since class-validator works them out again for every object and makes errors
 * along the way. Anything unusual is not accepted here.
 * @returns false when a rule is broken or class-validator has to say; only class-validator says what is wrong
 */
export function surelyValid(params: object): boolean {
  const properties = propertiesOf(params.constructor);
  return properties !== undefined && properties.every((property) => holds(property, params));
}

function holds({ name, conditions, rules }: Property, owner: object): boolean {
  const value: unknown = (owner as Record<string, unknown>)[name];
  if (!conditions.every((condition) => condition(owner, value))) return true;
  return rules.every((rule) => rule(owner, value));
}

/** @returns `undefined` for a class without rules, or with rules of a kind that is not prepared here */
function propertiesOf(type: unknown): Property[] | undefined {
  if (typeof type !== 'function') return undefined;
  if (!checkedClasses.has(type)) checkedClasses.set(type, prepare(type));
  return checkedClasses.get(type);
}

function prepare(type: object): Property[] | undefined {
  const metadatas = getMetadataStorage().getTargetValidationMetadatas(type as never, '', false, false);
  const properties = new Map<string, Property>();
  for (const metadata of metadatas) {
    const { propertyName: name } = metadata;
    const property = properties.get(name) ?? { name, conditions: [], rules: [] };
    properties.set(name, property);
    const rules = rulesOf(metadata);
    if (!rules) return undefined;
    (metadata.type === ValidationTypes.CONDITIONAL_VALIDATION ? property.conditions : property.rules).push(
      ...rules,
    );
  }
  return metadatas.length > 0 ? [...properties.values()] : undefined;
}

function rulesOf(metadata: Metadata): Check[] | undefined {
  const { groups = [], validateIf } = metadata as Partial<Metadata>;
  if (groups.length > 0 || validateIf !== undefined) return undefined;
  switch (metadata.type) {
    case ValidationTypes.CONDITIONAL_VALIDATION:
      return [metadata.constraints[0] as Check];
    case ValidationTypes.NESTED_VALIDATION:
      return [nestedHolds];
    case ValidationTypes.CUSTOM_VALIDATION:
      return constraintsOf(metadata);
    default:
      return undefined;
  }
}

function constraintsOf(metadata: Metadata): Check[] {
  const { propertyName: property, constraints, constraintCls, each } = metadata;
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => (owner, value) => {
      const args = { targetName: owner.constructor.name, property, object: owner, value, constraints };
      // A promise is not `true`: rules that take time are class-validator's.
      if (each && Array.isArray(value)) return value.every((item) => instance.validate(item, args) === true);
      return !(value instanceof Set || value instanceof Map) && instance.validate(value, args) === true;
    });
}

function nestedHolds(_owner: object, value: unknown): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.every((item) => nestedHolds(value, item ?? null));
  return typeof value === 'object' && value !== null && surelyValid(value);
}
