import { Alert, List, Loader, Text } from '@mantine/core'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { counted } from '#client/text/counted.ts'
import { formatCount, formatDay } from '#client/text/format.ts'

/** Says before saving whom telling customers of renewals would write to, or no longer would. */
export function ComingConfirmations({ isTurnedOn }: { isTurnedOn: boolean }) {
  return (
    <Alert color="cobalt" role="status" title="What saving would change">
      {isTurnedOn ? (
        <Coming />
      ) : (
        <Text size="sm">
          Customers will no longer be told of renewals. Emails about earlier renewals that are still waiting will not be
          sent.
        </Text>
      )}
    </Alert>
  )
}

function Coming() {
  const coming = trpc.contracts.comingConfirmations.useQuery(undefined, { gcTime: 0 })
  // Optional: saving works without it.
  if (coming.isError) return <Text size="sm">We could not check how many customers would get an email.</Text>
  if (!coming.data) return <Loader size="xs" role="status" aria-label="Loading..." />
  const { first, told } = coming.data
  return (
    <>
      <Text size="sm">{comingText(coming.data)}</Text>
      {first.length > 0 && (
        <List size="sm" my="xs">
          {first.map(({ contractId, customerName, day }) => (
            <List.Item key={contractId}>{`${customerName}, on ${formatDay(day)}`}</List.Item>
          ))}
          {told > first.length && <List.Item>{`and ${formatCount(told - first.length)} more`}</List.Item>}
        </List>
      )}
      <Text size="sm">
        Customers are not told of renewals in the past. When you renew contracts yourself, you first see how many
        customers will get an email.
      </Text>
    </>
  )
}

function comingText({ contracts, told, emails, onlyFirst }: Outputs['contracts']['comingConfirmations']): string {
  if (contracts === 0)
    return 'No contract renews automatically in the next 30 days, so no email goes out automatically.'
  const [more, least] = onlyFirst === null ? ['', ''] : ['more than ', 'at least ']
  const renewing = `In the next 30 days, ${more}${counted(contracts, 'contracts')} ${contracts === 1 ? 'renews' : 'renew'} automatically.`
  if (told === 0) return `${renewing} None of the customers would get an email.`
  const whose = told === contracts ? 'Customers' : `Customers of ${formatCount(told)} of them`
  return `${renewing} ${whose} would get ${least}${counted(emails, 'emails')}, each on the day of the renewal:`
}
