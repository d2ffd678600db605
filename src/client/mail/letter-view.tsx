import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { SegmentedControl, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { useState } from 'react'
import { inColorScheme } from '#shared/letter-scheme.ts'
import { styleNonce } from '#client/browser/style-nonce.ts'
import classes from './letter-view.module.css'

const VIEWS = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'text', label: 'Text only' },
] as const
type View = (typeof VIEWS)[number]['value']

interface LetterViewProps {
  /** Says whose email it is, and when it would be sent. */
  caption?: string
  letter: { subject: string; text: string; html: string }
  /** True while another one is loading. */
  busy?: boolean
}

/** An email as its reader sees it: light, dark, or as text. */
export function LetterView({ caption, letter, busy = false }: LetterViewProps) {
  // Immediately: an iframe whose document changes while it loads may stay blank.
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<View>()
  const view = chosen ?? scheme
  return (
    <Stack gap="sm" aria-busy={busy} style={{ opacity: busy ? 0.6 : 1 }}>
      {caption !== undefined && (
        <Text size="sm" c="dimmed">
          {caption}
        </Text>
      )}
      <SegmentedControl<View> aria-label="View" data={[...VIEWS]} value={view} onChange={setChosen} />
      <Text fw={600} className={classes.subject ?? ''}>
        {letter.subject}
      </Text>
      {view === 'text' ? (
        <pre className={classes.text}>{letter.text}</pre>
      ) : (
        // A sandbox without permissions: no scripts, no navigation.
        <iframe
          className={classes.letter}
          title="Email preview"
          sandbox=""
          srcDoc={withNonce(inColorScheme(letter.html, view))}
        />
      )}
    </Stack>
  )
}

/** The page's content security policy applies to the iframe, too. */
function withNonce(html: string): string {
  return html.replaceAll('<style', `<style nonce="${styleNonce() ?? ''}"`)
}
