import { Button, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { failureOf, trpc } from '#client/api/trpc.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { useTrashActions } from '#client/api/use-trash-actions.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { BounceAlert } from '#client/mail/bounce-alert.tsx'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import { DetailList } from '#client/ui/detail-list.tsx'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { useBounce, useCustomerDetails } from './customer-details.tsx'
import type { Customer } from './customer-form.ts'

const Dialogs = onDemand(async () => (await import('./customer-dialogs.tsx')).CustomerDialogs)

interface CustomerPageProps {
  id: number
  /** Leads back to the list, and through it. */
  navigation: ReactNode
  /** The next date of the customer's contracts. */
  next: ReactNode
  /** The customer's contracts. */
  contracts: ReactNode
  /** Whom one writes to there. */
  contacts: ReactNode
  /** The messages that were sent to them, and those that are planned. */
  messages: ReactNode
  /** Which rule about notices applies to its contracts. */
  notice: ReactNode
  /** What was written about the customer, and what has changed. */
  history: ReactNode
  onDeleted: () => void
}

/** One customer: how to reach them, their contacts, contracts, notes, and what has changed. */
export function CustomerPage({ id, ...parts }: CustomerPageProps) {
  const customer = trpc.customers.get.useQuery({ id })
  if (customer.isPending) return <Placeholder heights={[80, 160, 240]} />
  if (customer.error && failureOf(customer.error).refusal === 'CUSTOMER_NOT_FOUND') return <MissingCustomer />
  return (
    <>
      <QueryError query={customer} failed="Failed to fetch customer" />
      {customer.data && <Loaded customer={customer.data} {...parts} />}
    </>
  )
}

/** Shown if the customer does not exist. */
export function MissingCustomer() {
  return (
    <PageHeader title="Customer not found" description="It may have been deleted.">
      <Button renderRoot={(props) => <Link to="/customers" {...props} />}>Go to Customers</Button>
      <Button variant="default" renderRoot={(props) => <Link to="/trash" {...props} />}>
        Look in the Trash
      </Button>
    </PageHeader>
  )
}

type LoadedProps = Omit<CustomerPageProps, 'id'> & { customer: Customer }

function Loaded({
  customer,
  navigation,
  next,
  contracts,
  contacts,
  messages,
  notice,
  history,
  onDeleted,
}: LoadedProps) {
  const details = useCustomerDetails(customer)
  const form = useRowDialog([customer])
  const { deleteCustomer, isDeleting } = useTrashActions()
  const { bounce, clear } = useBounce(customer)
  const kept = useKeptFocus(String(bounce?.address))
  return (
    <Stack gap="lg" {...whenButtonNears(Dialogs.prefetch)}>
      {navigation}
      <Stack gap="lg" {...kept}>
        <PageHeader title={customer.name} description="Customer">
          <ChangeButton variant="default" onClick={() => form.open(customer)}>
            Edit
          </ChangeButton>
          <ChangeButton variant="default" busy={isDeleting} onClick={() => deleteCustomer(customer, onDeleted)}>
            Delete
          </ChangeButton>
        </PageHeader>
        {bounce && (
          <BounceAlert {...bounce}>
            <div>
              <ChangeButton
                mt="xs"
                size="xs"
                variant="default"
                loading={clear.isPending}
                onClick={() => clear.mutate({ id: customer.id })}
              >
                Mark as Working
              </ChangeButton>
            </div>
          </BounceAlert>
        )}
      </Stack>
      {next}
      <DetailList details={details} />
      {contacts}
      {contracts}
      {notice}
      {messages}
      {history}
      <Dialogs.Part wanted={form.opened} dialogs={{ form }} onOwnPage />
    </Stack>
  )
}
