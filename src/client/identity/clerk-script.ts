import type { HeadlessBrowserClerk, SignedInSessionResource } from '@clerk/clerk-react/types'
import { identityScript } from '#shared/identity-script.ts'
import type { Outputs } from '#client/api/trpc.ts'

type IdentityConfig = Outputs['identity']['config']

const TIMEOUT_MS = 15_000
const ATTEMPTS = 5
const FIRST_PAUSE_MS = 125

let started: Promise<HeadlessBrowserClerk> | undefined

/**
 * The identity provider's script, started once per page, and again after a failure. Without its React package,
 * which only the forms need (clerk-forms.tsx): no other screen has to wait for that.
 */
export function startClerk(config: IdentityConfig): Promise<HeadlessBrowserClerk> {
  started ??= fetchAndLoad(config).catch((error: unknown) => {
    started = undefined
    throw error
  })
  return started
}

async function fetchAndLoad(config: IdentityConfig): Promise<HeadlessBrowserClerk> {
  const clerk = await fetchClerk(config)
  await clerk.load({ ...CLERK_OPTIONS, unsafe_disableDevelopmentModeConsoleWarning: isStandin(config) })
  return clerk
}

// Without Clerk's own forms, which we do not use.
export const CLERK_OPTIONS = { telemetry: false, signInUrl: '/sign-in', signUpUrl: '/sign-up' } as const

/** This browser's session, once Clerk's script has reported that somebody is signed in. */
export function signedInSession(): SignedInSessionResource {
  const session = globalThis.Clerk?.session
  if (!session) throw new Error('Nobody is signed in')
  return session
}

/** Retries with increasing delays. @throws after the last attempt, or when it takes too long */
export function fetchClerk(config: IdentityConfig): Promise<HeadlessBrowserClerk> {
  const tooLate = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('The sign-in service did not respond in time')), TIMEOUT_MS)
  })
  return Promise.race([tryToFetch(config), tooLate])
}

async function tryToFetch(config: IdentityConfig, attempt = 1): Promise<HeadlessBrowserClerk> {
  try {
    return await fetchOnce(config)
  } catch (error) {
    if (attempt === ATTEMPTS) throw error
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)))
    return tryToFetch(config, attempt + 1)
  }
}

/** The script sets `window.Clerk`, with the key that its element names. */
function fetchOnce({ publishableKey, proxyUrl }: IdentityConfig): Promise<HeadlessBrowserClerk> {
  const script = document.createElement('script')
  script.async = true
  script.crossOrigin = 'anonymous'
  script.dataset['clerkPublishableKey'] = publishableKey
  if (proxyUrl) script.dataset['clerkProxyUrl'] = proxyUrl
  script.src = identityScript({ publishableKey, proxyUrl })
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () =>
      globalThis.Clerk ? resolve(globalThis.Clerk) : reject(new Error('The sign-in service did not start')),
    )
    script.addEventListener('error', () => reject(new Error('The sign-in service could not be loaded')))
    document.head.append(script)
  })
}

// The stand-in's key looks like a development key, about which Clerk's script would warn on every page.
function isStandin({ proxyUrl }: IdentityConfig): boolean {
  return proxyUrl !== undefined
}

declare global {
  var Clerk: HeadlessBrowserClerk | undefined
}
