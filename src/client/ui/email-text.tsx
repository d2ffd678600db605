import { Fragment } from 'react'

/** An email address that breaks between its words where it takes more than one line. */
export function EmailText({ children }: { children: string }) {
  return children.split(/(?<=[@._-])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
