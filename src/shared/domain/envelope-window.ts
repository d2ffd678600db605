// A letter on US Letter, folded in thirds, in a #10 envelope with the standard window. All lengths are in points.

const INCH = 72

const SHEET = { width: 8.5 * INCH, height: 11 * INCH }
const ENVELOPE = { width: 9.5 * INCH, height: 4.125 * INCH }
/** From the envelope's left and lower edges. */
const WINDOW = { left: 0.875 * INCH, bottom: 0.5 * INCH, width: 4.5 * INCH, height: 1.125 * INCH }

/** Where the sheet is folded, from its upper edge. The first third is what lies behind the window. */
export const FOLDS = [SHEET.height / 3, (2 * SHEET.height) / 3] as const
const [PANEL] = FOLDS

/** A part of the sheet, from its left and its upper edge. */
export interface Area {
  left: number
  right: number
  top: number
  bottom: number
}

/** How far the folded sheet can move in the envelope, to the right and up. */
export const PLAY = { right: ENVELOPE.width - SHEET.width, up: ENVELOPE.height - PANEL }

/** What is seen through the window where the sheet has moved so far from the envelope's left and lower edges. */
export function seenAt({ right, up }: { right: number; up: number }): Area {
  const left = WINDOW.left - right
  const bottom = PANEL - WINDOW.bottom + up
  return { left, right: left + WINDOW.width, top: bottom - WINDOW.height, bottom }
}

/** What is seen wherever the sheet has moved. */
export const ALWAYS_SEEN: Area = {
  left: seenAt({ right: 0, up: 0 }).left,
  right: seenAt({ right: PLAY.right, up: 0 }).right,
  top: seenAt({ right: 0, up: PLAY.up }).top,
  bottom: seenAt({ right: 0, up: 0 }).bottom,
}

/** What may be seen. */
export const EVER_SEEN: Area = {
  left: seenAt({ right: PLAY.right, up: 0 }).left,
  right: seenAt({ right: 0, up: 0 }).right,
  top: seenAt({ right: 0, up: 0 }).top,
  bottom: seenAt({ right: 0, up: PLAY.up }).bottom,
}
