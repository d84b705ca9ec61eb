import type { JWTPayload } from 'jose';
import { isAccountId } from './account-id.js';

/**
 * Roles that belong to machinery, not to an account. The names are those of hosted authentication services, whose service and
 * anonymous keys are signed with the same secret as the tokens of accounts.
 */
const SERVICE_ROLES = new Set([
  'service_role',
  'service',
  'anon',
  'authenticator',
  'postgres',
  'dashboard_user',
]);
const SERVICE_ROLE_PREFIX = 'supabase_';

function isServiceRole(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isServiceRole);
  if (typeof value !== 'string') return false;
  const role = value.trim().toLowerCase();
  return SERVICE_ROLES.has(role) || role.startsWith(SERVICE_ROLE_PREFIX);
}

/**
 * Whether a token speaks for a service (requirement H2): `role` or `roles`, at the top or in `app_metadata`, names one of the
 * service roles. `user_metadata` is not looked at, because users write it themselves.
 */
export function hasServiceRole(claims: JWTPayload): boolean {
  const metadata = claims['app_metadata'];
  const inner =
    typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {};
  return [claims['role'], claims['roles'], inner['role'], inner['roles']].some(isServiceRole);
}

/** The account that a token names: `sub`, a non-blank text of at most 128 characters; anything else is `undefined`. */
export function accountOf(claims: JWTPayload): string | undefined {
  const sub: unknown = claims.sub;
  return isAccountId(sub) ? sub : undefined;
}
