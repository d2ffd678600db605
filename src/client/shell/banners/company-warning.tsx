import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Outputs } from '#client/api/trpc.ts'
import { AddressWarning } from './address-warning.tsx'
import { Warning } from './warning.tsx'

/** What is missing for messages to customers. */
export function CompanyWarning({ company }: { company: Outputs['company']['get'] }) {
  if (company.ownerEmail === '') return <AddressWarning />
  if (company.name === null) {
    return (
      <Missing title="Your reminders need a company name" act="Enter Company Name">
        Customers see it as the sender. Until you enter it, emails to them wait.
      </Missing>
    )
  }
  return (
    <Missing title="Your reply-to address is not confirmed" act="Confirm Address">
      Until {company.replyTo} is confirmed, replies go to {company.ownerEmail}.
    </Missing>
  )
}

function Missing({ title, act, children }: { title: string; act: string; children: ReactNode }) {
  return (
    <Warning
      title={title}
      action={
        <Button size="xs" renderRoot={(props) => <Link to="/company" {...props} />}>
          {act}
        </Button>
      }
    >
      {children}
    </Warning>
  )
}
