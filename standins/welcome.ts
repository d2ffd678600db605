import type { RunningServer } from '#server/boot/local-environment.ts'
import { openDemo } from './demo/demo.ts'

/** How to sign in to the demo account, where there is one, and where the stand-ins show what they do. */
export async function welcome(server: RunningServer): Promise<string[]> {
  const demo = await openDemo(server)
  if (!demo) return []
  return [
    `Sign in as ${demo.email} with the password ${demo.password}, or sign up`,
    `Sent mail: ${server.url}/dev/mailbox   Billing's clock: ${server.url}/__stripe/clock`,
  ]
}
