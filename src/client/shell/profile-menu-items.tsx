import { BookmarkIcon, ExitIcon, MixerHorizontalIcon, TrashIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import classes from '#client/ui/dropdown.module.css'

interface ProfileMenuItemsProps {
  email: string
  onSignOut: () => void
  onClose: () => void
}

/** Takes the focus when it appears, which may be after the menu has opened. */
export function ProfileMenuItems({ email, onSignOut, onClose }: ProfileMenuItemsProps) {
  const first = useRef<HTMLAnchorElement>(null)
  useEffect(() => first.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <div className={classes.label}>{email}</div>
      <Link ref={first} to="/profile" role="menuitem" className={classes.item ?? ''} onClick={onClose}>
        <MixerHorizontalIcon aria-hidden />
        Settings
      </Link>
      <Link to="/tags" role="menuitem" className={classes.item ?? ''} onClick={onClose}>
        <BookmarkIcon aria-hidden />
        Tags
      </Link>
      <Link to="/trash" role="menuitem" className={classes.item ?? ''} onClick={onClose}>
        <TrashIcon aria-hidden />
        Trash
      </Link>
      <button
        type="button"
        role="menuitem"
        className={classes.item}
        onClick={() => {
          onClose()
          onSignOut()
        }}
      >
        <ExitIcon aria-hidden />
        Sign Out
      </button>
    </>
  )
}
