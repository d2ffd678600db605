import '@mantine/core/styles/Divider.layer.css'
import { Button, CloseButton, Divider, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import type { ImportKind } from '#shared/schemas/imports.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { SampleOffer } from './sample-data.tsx'

export interface FirstStepActions {
  onAddCustomer: () => void
  /** @param isFirst the account has no contract yet */
  onAddContract: (isFirst: boolean) => void
  onImport: (kind: ImportKind) => void
  onNameCompany: () => void
}

type FirstStepsProps = FirstStepActions & {
  dashboard: Outputs['dashboard']['get']
  /** The cards and charts below, while there is no contract. */
  emptyDashboard: { isShown: boolean; toggle: () => void } | undefined
  /** Undefined if there is nothing else to show. */
  onClose: (() => void) | undefined
}

/** The first steps of a new account, and which of them are done. */
export function FirstSteps({ dashboard, emptyDashboard, onClose, ...actions }: FirstStepsProps) {
  const { totalCustomers, totalContracts, hasCompanyName, sampleImportId } = dashboard
  const next = [totalCustomers > 0, totalContracts > 0, hasCompanyName].indexOf(false) + 1
  return (
    <Paper withBorder p="lg" component="section" aria-label="First steps">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h4">
          Three steps to your first reminder
        </Title>
        {onClose && <CloseButton aria-label="Close first steps" onClick={onClose} />}
      </Group>
      <Text c="dimmed" mb="lg">
        Customers are reminded by email before their contracts renew. This page will show what your contracts bring in
        and which ones need attention.
      </Text>
      <Stack component="ol" gap="lg" p={0} m={0}>
        <Step
          number={1}
          done={totalCustomers > 0}
          title="Add a customer"
          hint="With an email address, so that reminders reach them"
        >
          <StepButton isNext={next === 1} onClick={actions.onAddCustomer}>
            {totalCustomers > 0 ? 'Add Another Customer' : 'Add Your First Customer'}
          </StepButton>
        </Step>
        <Step
          number={2}
          done={totalContracts > 0}
          title="Add a contract"
          hint="With its renewal date, so that reminders go out in time"
        >
          <StepButton isNext={next === 2} onClick={() => actions.onAddContract(totalContracts === 0)}>
            {totalContracts > 0 ? 'Add Another Contract' : 'Add Your First Contract'}
          </StepButton>
        </Step>
        <Step
          number={3}
          done={hasCompanyName}
          title="Enter your company name"
          hint="Customers see this name, and reminders wait until you enter it"
        >
          <StepButton isNext={next === 3} onClick={actions.onNameCompany}>
            Enter Company Name
          </StepButton>
        </Step>
      </Stack>
      <Divider my="lg" />
      <Stack gap="lg">
        <ImportOffer onImport={actions.onImport} />
        {totalContracts === 0 && sampleImportId === null && <SampleOffer />}
      </Stack>
      {emptyDashboard && <EmptyDashboardButton {...emptyDashboard} />}
    </Paper>
  )
}

function EmptyDashboardButton({ isShown, toggle }: NonNullable<FirstStepsProps['emptyDashboard']>) {
  return (
    <Button variant="subtle" size="xs" mt="lg" ml={-14} aria-expanded={isShown} onClick={toggle}>
      {isShown ? 'Hide the Empty Dashboard' : 'Show the Empty Dashboard'}
    </Button>
  )
}

/** Instead of the first two steps, if the data is already in a file. */
function ImportOffer({ onImport }: Pick<FirstStepActions, 'onImport'>) {
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text fw={600}>Have it all in a file already?</Text>
        <Text size="sm" c="dimmed">
          Import your customers and contracts from CSV or Excel instead.
        </Text>
      </div>
      <Group gap="xs">
        <StepButton onClick={() => onImport('customers')}>Import Customers</StepButton>
        <StepButton onClick={() => onImport('contracts')}>Import Contracts</StepButton>
      </Group>
    </Group>
  )
}

interface StepProps {
  number: number
  title: string
  hint: string
  done: boolean
  /** Its buttons stay when it is done, to keep the focus. */
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

interface StepButtonProps {
  children: string
  /** The step to take next stands out. */
  isNext?: boolean
  onClick: () => void
}

function StepButton({ children, isNext = false, onClick }: StepButtonProps) {
  return (
    <Button variant={isNext ? 'filled' : 'default'} size="xs" onClick={onClick}>
      {children}
    </Button>
  )
}
