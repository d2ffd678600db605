import { Alert, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Outputs } from '#client/api/trpc.ts'

/** What is missing for messages to customers. */
export function CompanyWarning({ company }: { company: Outputs['company']['get'] }) {
  if (company.ownerEmail === '') {
    return (
      <Warning
        title="Verify your email address"
        action={
          <Button size="xs" component="a" href="/contact">
            Contact Us
          </Button>
        }
      >
        We cannot email you, and messages to your customers are on hold, until your email address is verified.
      </Warning>
    )
  }
  if (company.name === null) {
    return (
      <Missing title="Messages to your customers are waiting" act="Enter Company Name">
        Enter your company name, so that customers know who the messages are from.
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

function Warning({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <Alert color="yellow" mb="md" role="status" title={title}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex={1} miw={240} style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
        {action}
      </Group>
    </Alert>
  )
}
