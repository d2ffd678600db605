import type { HeadlessBrowserClerk } from '@clerk/clerk-react/types'
import type { Answers } from '#client/trpc.ts'

type IdentityConfig = Answers['identity']['config']

const SCRIPT = 'npm/@clerk/clerk-js@6/dist/clerk.browser.js'

let started: Promise<HeadlessBrowserClerk> | undefined

/**
 * The identity provider's own script, started once a page. Without its React package, which only the forms need
 * (clerk-forms.tsx): no other screen has to wait for that.
 */
export function startClerk(config: IdentityConfig): Promise<HeadlessBrowserClerk> {
  started ??= fetchClerk(config).then(async (clerk) => {
    await clerk.load({ ...CLERK_OPTIONS, unsafe_disableDevelopmentModeConsoleWarning: isStandin(config) })
    return clerk
  })
  return started
}

// The forms are ours, so the provider's own are not fetched.
export const CLERK_OPTIONS = { telemetry: false, signInUrl: '/sign-in', signUpUrl: '/sign-up' } as const

/** It makes itself known as `window.Clerk`, with the key that its element names. */
function fetchClerk({ publishableKey, proxyUrl }: IdentityConfig): Promise<HeadlessBrowserClerk> {
  const script = document.createElement('script')
  script.async = true
  script.crossOrigin = 'anonymous'
  script.dataset['clerkPublishableKey'] = publishableKey
  if (proxyUrl) script.dataset['clerkProxyUrl'] = proxyUrl
  script.src = `${proxyUrl ?? `https://${frontendHost(publishableKey)}`}/${SCRIPT}`
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () =>
      globalThis.Clerk ? resolve(globalThis.Clerk) : reject(new Error('The identity provider did not start')),
    )
    script.addEventListener('error', () => reject(new Error('The identity provider could not be fetched')))
    document.head.append(script)
  })
}

/** A key has it in its last part, encoded and ended with a dollar sign. */
function frontendHost(publishableKey: string): string {
  return atob(publishableKey.split('_')[2] ?? '').replace(/\$$/, '')
}

// Its key looks like one for development, of which the provider's script would warn on every page.
function isStandin({ proxyUrl }: IdentityConfig): boolean {
  return proxyUrl !== undefined
}

declare global {
  var Clerk: HeadlessBrowserClerk | undefined
}
