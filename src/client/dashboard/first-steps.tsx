import '@mantine/core/styles/Divider.layer.css'
import { Button, CloseButton, Divider, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { SampleOffer } from './sample-data.tsx'

export interface FirstActs {
  onAddCustomer: () => void
  onAddContract: () => void
  onImport: (kind: ImportKind) => void
  onNameCompany: () => void
}

type FirstStepsProps = FirstActs & {
  dashboard: Outputs['dashboard']['get']
  /** Undefined while there is nothing else to be shown. */
  onClose: (() => void) | undefined
}

/** What a new account does first, and what of it is done. */
export function FirstSteps({ dashboard, onClose, ...acts }: FirstStepsProps) {
  const { totalCustomers, totalContracts, hasImported, hasCompanyName, sampleImportId } = dashboard
  return (
    <Paper withBorder p="lg" component="section" aria-label="First steps">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h4">
          Four steps to your first renewal
        </Title>
        {onClose && <CloseButton aria-label="Close first steps" onClick={onClose} />}
      </Group>
      <Text c="dimmed" mb="lg">
        This page shows what your contracts bring in and which ones need attention.
      </Text>
      <Stack component="ol" gap="lg" p={0} m={0}>
        <Step
          number={1}
          done={totalCustomers > 0}
          title="Add a customer"
          hint="A person or company you have an agreement with"
        >
          <StepButton onClick={acts.onAddCustomer}>Add your first customer</StepButton>
        </Step>
        <Step number={2} done={totalContracts > 0} title="Add a contract" hint="Your agreements and when they renew">
          <StepButton onClick={acts.onAddContract}>Add your first contract</StepButton>
        </Step>
        <Step
          number={3}
          done={hasImported}
          title="Import a file"
          hint="Bring in what you already have, from CSV or Excel"
        >
          <StepButton onClick={() => acts.onImport('customers')}>Import customers</StepButton>
          <StepButton onClick={() => acts.onImport('contracts')}>Import contracts</StepButton>
        </Step>
        <Step number={4} done={hasCompanyName} title="Your company" hint="The name your customers see on reminders">
          <StepButton onClick={acts.onNameCompany}>Enter company name</StepButton>
        </Step>
      </Stack>
      {totalContracts === 0 && sampleImportId === null && (
        <>
          <Divider my="lg" />
          <SampleOffer />
        </>
      )}
    </Paper>
  )
}

interface StepProps {
  number: number
  title: string
  hint: string
  done: boolean
  /** Its buttons stay when it is done, so that the focus has not gone. */
  children: ReactNode
}

function Step({ number, title, hint, done, children }: StepProps) {
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Group gap="md" wrap="nowrap">
        <ThemeIcon radius="xl" size="lg" variant={done ? 'filled' : 'light'} color={done ? 'green' : 'cobalt'}>
          {done ? <CheckIcon role="img" aria-label="Done" /> : number}
        </ThemeIcon>
        <div>
          <Text fw={600}>{title}</Text>
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        </div>
      </Group>
      <Group gap="xs">{children}</Group>
    </Group>
  )
}

function StepButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      {children}
    </Button>
  )
}
