import { z } from 'zod'
import { customerNamed } from './customer-lookup.ts'
import { endpoint } from './endpoint.ts'
import { newId } from './ids.ts'
import type { PortalSession } from './object-types.ts'
import { text, webAddress } from './params.ts'
import { readSettings } from './settings.ts'
import { insert } from './store.ts'

const LIVES_FOR = 3600

const NewPortalSession = z.strictObject({
  customer: text,
  // Stripe takes a default from the portal's settings in the Dashboard; here there are none, and the page needs its origin.
  return_url: webAddress,
  configuration: text.optional(),
  locale: text.optional(),
})

export const createPortalSession = endpoint(NewPortalSession, async (tx, input) => {
  const customer = await customerNamed(tx, input.customer)
  const { portalConfiguration } = await readSettings(tx.client)
  const id = newId.portalSession()
  const session: PortalSession = {
    id,
    object: 'billing_portal.session',
    configuration: input.configuration ?? portalConfiguration,
    created: tx.now,
    customer: customer.id,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: input.locale ?? null,
    on_behalf_of: null,
    return_url: input.return_url,
    url: `${new URL(input.return_url).origin}/__stripe/portal/${id}`,
  }
  await insert(tx, { data: session, hidden: { expiresAt: tx.now + LIVES_FOR } })
  return session
})
