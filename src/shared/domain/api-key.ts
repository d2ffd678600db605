/** The most characters of an API key's name. */
export const API_KEY_NAME_MAX = 50

/** What an API key may do. Each scope includes those before it. */
export const KEY_SCOPES = ['read', 'write', 'all'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

/** Whether a key with the scope `granted` may do what needs the scope `needed`. */
export function isScopeEnough(granted: KeyScope, needed: KeyScope): boolean {
  return KEY_SCOPES.indexOf(granted) >= KEY_SCOPES.indexOf(needed)
}
