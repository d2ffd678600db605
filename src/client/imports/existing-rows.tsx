import '@mantine/core/styles/List.layer.css'
import { Box, List, Text } from '@mantine/core'
import { changeText, fieldLabel } from '#client/text/change-words.ts'
import { counted } from '#client/text/counted.ts'
import { formatCount, formatMoney } from '#client/text/format.ts'
import type { Question } from './import-result.ts'

type Existing = NonNullable<Question['existing']>

/** What the rows of a file would change on contracts that exist, and the first of these contracts. */
export function ExistingRows({ existing }: { existing: Existing }) {
  const { rows, changed, failing, first } = existing
  return (
    <Box mb="xs">
      <Text size="sm" mb={4}>
        {rows === 1 ? '1 row matches.' : `${formatCount(rows)} rows match.`} {changesText(existing)}
      </Text>
      {failing > 0 && (
        <Text size="sm" mb={4}>
          {failing === 1 ? '1 row cannot update a contract' : `${formatCount(failing)} rows cannot update a contract`}{' '}
          and will fail. The result will say why.
        </Text>
      )}
      <List size="sm">
        {first.map(({ line, reference, customerName, changes }) => (
          <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>
            Line {formatCount(line)}, {reference} for {customerName}: {changes.map(changeText).join('; ')}
          </List.Item>
        ))}
        {changed > first.length && <List.Item>and {formatCount(changed - first.length)} more</List.Item>}
      </List>
    </Box>
  )
}

function changesText({ changed, fields, amountBefore, amount }: Existing): string {
  if (changed === 0) return 'No contract would change.'
  const names = fields.map(({ field, contracts }) => `${fieldLabel(field).toLowerCase()} (${formatCount(contracts)})`)
  const changes = `Updating changes ${counted(changed, 'contracts')}: ${names.join(', ')}.`
  if (amount === amountBefore) return changes
  return `${changes} Their amounts go from ${formatMoney(amountBefore)} to ${formatMoney(amount)} in total.`
}
