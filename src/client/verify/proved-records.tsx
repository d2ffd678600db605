import { Paper, Stack, Text, Title } from '@mantine/core'
import type { Certificate } from '#shared/certificates/certificate.ts'
import { kindName, textCaption } from '#shared/certificates/kind-names.ts'
import { subjectText, type ProofPart, type ProvedRecord } from '#shared/domain/proof-chain.ts'
import classes from './proved-records.module.css'

/** What the records of a certificate say, which counts whatever its pages show. */
export function ProvedRecords({ certificate: { proved } }: { certificate: Certificate }) {
  return (
    <Stack component="ol" gap="md" className={classes.records ?? ''} aria-label="Records">
      {proved.map((one) => (
        <Paper key={one.record.number} component="li" withBorder p="md">
          <OneRecord {...one} />
        </Paper>
      ))}
    </Stack>
  )
}

function OneRecord({ record, link }: ProvedRecord) {
  const { kind, number, account, parts } = record
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h5">
          {kindName(kind)}
        </Title>
        <Text size="sm" c="dimmed">
          Record {number} of account {account}, about {subjectText(record)}
        </Text>
      </div>
      {parts.map((part) => (
        <OnePart key={part.name} {...part} />
      ))}
      <Facts facts={[['Hash', link.hash]]} />
    </Stack>
  )
}

function OnePart({ name, title, facts, text }: ProofPart) {
  return (
    <div>
      <Title order={3} size="h6">
        {title}
      </Title>
      <Facts facts={facts} />
      {text && (
        <>
          <Text size="sm" c="dimmed" mt="xs">
            {textCaption(name)}
          </Text>
          <Text size="sm" mt={4} className={classes.text ?? ''}>
            {text}
          </Text>
        </>
      )}
    </div>
  )
}

function Facts({ facts }: Pick<ProofPart, 'facts'>) {
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
