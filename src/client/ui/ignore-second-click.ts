/**
 * To be called by a press that makes something vanish, at once or with its answer: the rest of a double click would hit
 * what has moved to its place. It is ignored anywhere on the page; the next press of its own is not. A `ChangeButton` does
 * this by itself.
 */
export function ignoreSecondClick(): void {
  const ignore = (event: MouseEvent) => {
    if (event.detail < 2) return removeEventListener('click', ignore, true)
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', ignore, true)
}
