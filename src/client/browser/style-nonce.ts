/** The nonce that the page's policy asks of styles; undefined during development, which has no policy. */
export function styleNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined
}
