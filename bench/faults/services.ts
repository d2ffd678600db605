import { aPdf } from '#support/pdf.ts'
import { startFaultyService, type Failing } from './faulty-service.ts'
import type { Fault } from './fault.ts'
import { ELSEWHERE, type Stage } from './stage.ts'

/** Services outside, which fail as they are told, and what fails with each of them. */
export async function openServices() {
  const clerk = await startFaultyService('HTTP')
  const stripe = await startFaultyService('HTTP')
  const mail = await startFaultyService('SMTP')
  const bucket = await startFaultyService('HTTP')
  const faults: Record<string, Fault> = {
    ...faultsOf('sign-in', clerk, signIn),
    ...faultsOf('billing', stripe, checkOut),
    ...faultsOf('mail', mail, sendReminder),
    ...faultsOf('bucket', bucket, uploadPdf),
  }
  return {
    variables: {
      ...ELSEWHERE,
      CLERK_ELSEWHERE: `http://127.0.0.1:${clerk.port}`,
      STRIPE_ELSEWHERE: `http://127.0.0.1:${stripe.port}`,
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      S3_ENDPOINT: `http://127.0.0.1:${bucket.port}`,
      S3_REGION: 'nowhere',
      S3_BUCKET: 'traxx',
      S3_ACCESS_KEY_ID: 'nobody',
      S3_SECRET_ACCESS_KEY: 'nobody',
    },
    faults,
    stop: () => {
      for (const service of [clerk, stripe, mail, bucket]) service.stop()
    },
  }
}

/** A service of each way to fail, and a call that needs it: the first one, and another when it has failed several times. */
function faultsOf(
  name: string,
  { fail }: { fail: (how: Failing) => void },
  ask: (stage: Stage) => Promise<string>,
): Record<string, Fault> {
  const fault = (how: Failing): [string, Fault] => [
    `${name}-${how}`,
    async (stage) => {
      fail(how)
      const said = [`first: ${await ask(stage)}`]
      await Promise.all([1, 2, 3, 4, 5].map(() => ask(stage)))
      said.push(`later: ${await ask(stage)}`)
      // A circuit that is open would refuse the next first call at once.
      return { said, clear: () => stage.restart() }
    },
  ]
  return Object.fromEntries((['down', 'slow', 'wrong'] as const).map(fault))
}

let visitors = 0

/** The first call of somebody who has just signed up. */
async function signIn({ call, sessionOf }: Stage): Promise<string> {
  visitors += 1
  return call('/contracts?limit=1', {}, sessionOf(`user_visitor_${visitors}`))
}

async function checkOut({ call, sessionOf }: Stage): Promise<string> {
  return call('/stripe/create-checkout-session', { method: 'POST' }, sessionOf('user_1'))
}

async function sendReminder({ call, newContract }: Stage): Promise<string> {
  return call(`/contracts/${await newContract()}/reminder`, { method: 'POST' })
}

async function uploadPdf({ call, newContract }: Stage): Promise<string> {
  const body = new FormData()
  body.append('pdf', new Blob([aPdf()], { type: 'application/pdf' }), 'contract.pdf')
  return call(`/contracts/${await newContract()}/pdf`, { method: 'POST', body })
}
