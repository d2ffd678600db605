import { Alert, Anchor, Button, FileButton, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { verdictWords } from '#shared/certificates/verdict-words.ts'
import { FrontCard } from '#client/ui/cards/front-card.tsx'
import { FileDrop } from '#client/ui/files/file-drop.tsx'
import { ProvedRecords } from './proved-records.tsx'
import { verifyFile, type Checked } from './verify-file.ts'

/** Checks a certificate in the browser, which the file does not leave. */
export function VerifyScreen() {
  const [file, setFile] = useState<File>()
  const [key, setKey] = useState<File | null>(null)
  const checking = useMutation({ mutationFn: verifyFile })
  const check = (chosen: File, other: File | null) => {
    setFile(chosen)
    setKey(other)
    checking.mutate({ file: chosen, key: other })
  }
  return (
    <FrontCard width={720}>
      <Stack gap="lg">
        <Title order={1} size="h2">
          Verify a certificate
        </Title>
        <Text c="dimmed">
          A certificate shows what an email to a customer said, when it went out, and what became of it, what a customer
          answered, or that its sender marked a letter as mailed. This page checks whether it is still as it was signed.
          The file does not leave your browser.
        </Text>
        <FileDrop
          label="Certificate"
          hint="A PDF that was downloaded from TRAXX"
          accept=".pdf"
          file={file}
          onFile={(chosen) => check(chosen, key)}
        />
        <KeyChoice file={file} keyFile={key} onKey={(other) => file && check(file, other)} />
        {checking.isPending && <Text role="status">Checking...</Text>}
        {checking.isError && (
          <Alert color="red" title="The file could not be checked" role="alert">
            {FAILED}
          </Alert>
        )}
        {checking.data && <Verdict checked={checking.data} />}
        <Limits />
      </Stack>
    </FrontCard>
  )
}

const FAILED =
  'The public key could not be loaded, is not a key, or this browser cannot check signatures. Try a current browser, or npm run verify.'

interface KeyChoiceProps {
  file: File | undefined
  keyFile: File | null
  onKey: (key: File | null) => void
}

/** A certificate may be older than the key that is in use now, or come from another operator. */
function KeyChoice({ file, keyFile, onKey }: KeyChoiceProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm">
        {keyFile ? `Checked with ${keyFile.name}.` : 'Checked with the '}
        {!keyFile && (
          <Anchor href="/proof-key.pem" underline="always" inherit>
            public key of this site
          </Anchor>
        )}
        {!keyFile && '.'}
      </Text>
      {file && (
        <Group gap="xs">
          {keyFile && (
            <Button size="xs" variant="default" onClick={() => onKey(null)}>
              Use the Key of This Site
            </Button>
          )}
          <FileButton accept=".pem" onChange={onKey} inputProps={{ 'aria-label': 'Public key' }}>
            {(props) => (
              <Button size="xs" variant="default" {...props}>
                Use Another Key
              </Button>
            )}
          </FileButton>
        </Group>
      )}
    </Group>
  )
}

const COLORS = { Genuine: 'green', Changed: 'red', Unknown: 'yellow' }

function Verdict({ checked }: { checked: Checked }) {
  const { title, text } = verdictWords(checked)
  return (
    <Stack gap="lg">
      <Alert color={COLORS[title]} title={title} role="status">
        {text}
      </Alert>
      {checked.verdict !== 'unknown' && <ProvedRecords certificate={checked.certificate} />}
    </Stack>
  )
}

function Limits() {
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        What this does not show
      </Title>
      <Text size="sm">
        Whoever runs TRAXX has the signing key and could sign a whole new chain of false records. They cannot change
        anything up to a record whose code somebody else has kept. This code is the hash of the latest record: TRAXX
        emails it to each account every week, and every export has it. Compare it with the hash of the record of the
        same number.
      </Text>
      <Text size="sm">
        Records about the same email or answer can be left out of a certificate or come after it, such as that it
        bounced. The file proofs.json of the sender’s export has all of them, and npm run verify compares the two.
      </Text>
      <Text size="sm">
        That a letter was mailed is what its sender says. TRAXX did not mail it. The sender can withdraw the mark later:
        the certificate does not show that, and the file proofs.json of the sender’s export does.
      </Text>
      <Text size="sm">
        Nor does it show that somebody has read the email, or who answered: anybody with the link can. The secret part
        of links is hidden, so that nobody can act with them in the customer’s name.
      </Text>
    </Stack>
  )
}
