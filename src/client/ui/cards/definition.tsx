import { ActionIcon, Box } from '@mantine/core'
import { InfoCircledIcon } from '@radix-ui/react-icons'
import { useId, useState, type KeyboardEvent } from 'react'
import classes from './definition.module.css'

interface DefinitionProps {
  /** What is being explained. */
  term: string
  text: string
}

/**
 * A button that explains a word on hover, focus and touch. Its text spans the nearest positioned element around it,
 * so it needs no positioning code, and cannot leave the page.
 */
export function Definition({ term, text }: DefinitionProps) {
  const id = useId()
  const [shown, setShown] = useState(false)
  const show = () => setShown(true)
  const hide = () => setShown(false)
  const hideOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && hide()
  return (
    <Box component="span" onMouseEnter={show} onMouseLeave={hide}>
      <ActionIcon
        variant="transparent"
        size={24}
        c="dimmed"
        aria-label={`What ${term} means`}
        aria-describedby={shown ? id : undefined}
        onFocus={show}
        onBlur={hide}
        onKeyDown={hideOnEscape}
        onClick={show}
      >
        <InfoCircledIcon />
      </ActionIcon>
      {shown && (
        <span id={id} role="tooltip" className={classes.text}>
          {text}
        </span>
      )}
    </Box>
  )
}
