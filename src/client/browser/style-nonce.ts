/** By which the page's policy knows its own styles; none where nothing was built, and styles need none. */
export function styleNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined
}
