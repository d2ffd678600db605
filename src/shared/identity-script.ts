const SCRIPT = 'npm/@clerk/clerk-js@6/dist/clerk.browser.js'

interface ProviderAddress {
  publishableKey: string
  /** Where the provider's stand-in is served; absent with Clerk itself. */
  proxyUrl?: string | undefined
}

/** Where the identity provider's own script is served. */
export function identityScript({ publishableKey, proxyUrl }: ProviderAddress): string {
  return `${proxyUrl ?? `https://${frontendHost(publishableKey)}`}/${SCRIPT}`
}

/** The provider's own host. A key has it in its last part, encoded and ended with a dollar sign. */
export function frontendHost(publishableKey: string): string {
  return atob(publishableKey.split('_')[2] ?? '').replace(/\$$/, '')
}
