import type { Page } from '@playwright/test'
import { dayFromNow, expect } from './journey.ts'
import { sessionToken } from './sessions.ts'

export interface Reminded {
  contractId: number
  /** The customer's page. */
  link: string
  email: string
}

/** Customers who have just got a reminder by hand, each of one contract that renews in 10 days. */
export async function remindCustomers(page: Page, names: string[]): Promise<Reminded[]> {
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  await page.request.put('/account/company', { headers, data: { name: 'Mill & Sons' } })
  const terms = { amount: 100, startDate: dayFromNow(-355), renewalCycle: 'yearly', renewalDate: dayFromNow(10) }
  const reminded: Reminded[] = []
  for (const name of names) {
    const email = `${name.toLowerCase()}-${crypto.randomUUID()}@harbor.example`
    const { id: customerId } = await (await page.request.post('/customers', { headers, data: { name, email } })).json()
    const data = { customerId, title: `Hosting for ${name}`, status: 'active', renews: 'by_agreement', ...terms }
    const { id: contractId } = await (await page.request.post('/contracts', { headers, data })).json()
    expect((await page.request.post(`/contracts/${contractId}/reminder`, { headers })).status()).toBe(200)
    const [mail] = await mailsTo(page, email)
    const link = /\/answer\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    reminded.push({ contractId, link, email })
  }
  return reminded
}

export async function mailsTo(page: Page, to: string): Promise<{ subject: string; text: string }[]> {
  const answer = await page.request.get('/dev/mailbox', { params: { to }, headers: { accept: 'application/json' } })
  return answer.json()
}
