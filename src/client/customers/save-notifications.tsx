import { useState } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { inRows, type WithRows } from '#client/api/use-at-once.ts'
import { useOnceMounted } from '#client/forms/use-once-mounted.ts'
import { useSaveMerged } from '#client/forms/use-save-merged.ts'
import { CUSTOMER_DIALOG_PAGES } from './customer-dialog-pages.ts'
import type { Customer } from './customer-form.ts'

type Values = Pick<Customer, 'sendNotifications' | 'version'>

interface SaveNotificationsProps {
  customer: Customer
  /** Whether notifications were turned on, or off. */
  enabled: boolean
  /** It was saved, or refused. */
  onDone: () => void
}

/** Turns a customer's notifications on or off. Shows nothing. */
export function SaveNotifications({ customer: shown, enabled, onDone }: SaveNotificationsProps) {
  // As it was when it was turned.
  const [{ id, sendNotifications, version }] = useState(shown)
  const { client } = trpc.useUtils()
  const { mutate } = useSaveMerged<Values, WithRows<Customer>>({
    feature: 'customers',
    scope: `customer-${id}`,
    changeOf: (values) => inRows<Customer>((one) => ({ ...one, sendNotifications: values.sendNotifications }), id),
    failure: CUSTOMER_DIALOG_PAGES.customers.failure,
    save: (values, seen) =>
      client.customers.update.mutate({ id, version: seen.version, sendNotifications: values.sendNotifications }),
    current: () => client.customers.get.query({ id }),
  })
  useOnceMounted(() => {
    const before = { sendNotifications, version }
    mutate({ values: { ...before, sendNotifications: enabled }, before }, { onSettled: onDone })
  })
  return null
}
