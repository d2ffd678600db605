/** What a window answers of a media query that holds from the beginning, or never does. */
export function mediaQuery(media: string, matches: boolean) {
  return Object.assign(new EventTarget(), {
    media,
    matches,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  })
}
