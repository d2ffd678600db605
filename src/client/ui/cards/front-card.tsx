import { Box, Center, Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ColorSchemeToggle } from '#client/ui/color-scheme-toggle.tsx'
import classes from './front-card.module.css'
import { Logo } from '#client/ui/logo.tsx'

interface FrontCardProps {
  children: ReactNode
  /** Below the card, usually a link to another one. */
  footer?: ReactNode
  width?: number
}

/** The page of a visitor who is not in the app yet: one card in the middle. */
export function FrontCard({ children, footer, width = 440 }: FrontCardProps) {
  return (
    <Center component="main" mih="100dvh" px="md" py="xl" className={classes.page ?? ''}>
      <Box className={classes.toggle ?? ''}>
        <ColorSchemeToggle />
      </Box>
      <Stack gap="lg" w="100%" maw={width}>
        <a href="/" className={classes.home} aria-label="TRAXX home page">
          <Logo height={22} />
        </a>
        <Paper withBorder shadow="sm" radius="lg" p={{ base: 'lg', xs: 'xl' }}>
          {children}
        </Paper>
        {footer && <Box ta="center">{footer}</Box>}
      </Stack>
    </Center>
  )
}
