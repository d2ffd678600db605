import pg from 'pg'
import type { RunningServer } from '#server/boot/local-environment.ts'
import type { Services } from '#server/context.ts'
import { openDemoAccount, openDemoUser } from './demo-account.ts'
import { fillDemo } from './demo-records.ts'
import { beginDemo, finishDemo, readDemoState } from './demo-state.ts'

/** Not a secret: it is printed at every start, and opens nothing but made-up data on this machine. */
export const DEMO_SIGN_IN = { email: 'demo@traxx.test', password: 'renewals-in-good-time-14' }

/**
 * How to sign in to the demo account. The first start of an empty embedded database creates it; a start after one that
 * was interrupted continues with what is missing. Undefined where there is none.
 */
export async function openDemo(server: RunningServer): Promise<{ email: string; password: string } | undefined> {
  const { embedded, services, db } = server
  if (!embedded || !isStandinServed(services)) return undefined
  const client = new pg.Client(embedded.connection)
  // A connection that drops fails the next statement; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    const state = await readDemoState(client)
    if (state === 'begun' || state === 'possible') await db.oneAtATime('demo', () => createDemo(server, client))
    return (await readDemoState(client)) === 'finished' ? DEMO_SIGN_IN : undefined
  } finally {
    await client.end()
  }
}

function isStandinServed({ identityConfig, billingNow, now }: Services): boolean {
  return identityConfig.proxyUrl !== undefined && billingNow !== now
}

/** Every step finds what an earlier try has left; all of the account's own rows are one transaction. */
async function createDemo(server: RunningServer, client: pg.Client): Promise<void> {
  const state = await readDemoState(client)
  // Another server may have been faster, or somebody has signed up in the meantime.
  if (state !== 'begun' && state !== 'possible') return
  const userId = await openDemoUser(server.services.clerk, DEMO_SIGN_IN)
  await beginDemo(client, userId)
  await fillDemo(await openDemoAccount(server, userId))
  await finishDemo(client)
}
