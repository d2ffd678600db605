const SCRIPT = 'npm/@clerk/clerk-js@6/dist/clerk.browser.js'

interface ProviderAddress {
  publishableKey: string
  /** The address of the provider's stand-in; absent with Clerk itself. */
  proxyUrl?: string | undefined
}

/** The address of the identity provider's script. */
export function identityScript({ publishableKey, proxyUrl }: ProviderAddress): string {
  return `${proxyUrl ?? `https://${frontendHost(publishableKey)}`}/${SCRIPT}`
}

/** The provider's host: the last part of the key, base64 and ending with a dollar sign. */
export function frontendHost(publishableKey: string): string {
  return atob(publishableKey.split('_')[2] ?? '').replace(/\$$/, '')
}
