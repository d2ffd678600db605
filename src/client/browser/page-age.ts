/**
 * How long ago the page's navigation began, in milliseconds. The first clock may stop while the device sleeps,
 * the second may have been set back.
 */
export function pageAge(): number {
  return Math.max(performance.now(), Date.now() - performance.timeOrigin)
}
